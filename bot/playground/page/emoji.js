// Custom emojis: their pictures, in text and on buttons. Screen readers read its name
// (:four_of_hearts:), as on Discord; so one that is gone shows its name.
// Discord draws all others as pictures, too; of those we have some of our own, for machines whose fonts have none.

import { el } from "./dom.js";

export function custom(name, id) {
  const said = `:${name}:`;
  const image = el("img", { class: "emoji custom", src: `/emojis/${id}.png`, alt: said, "aria-label": said, title: said, draggable: "false" });
  image.addEventListener("error", () => image.replaceWith(el("span", { class: "emoji", title: said }, said)), { once: true });
  return image;
}

const DRAWN = { "🔒": "lock", "🏅": "medal", "🟩": "green_square", "🟥": "red_square", "🟨": "yellow_square" };

export const OURS = new RegExp(`^(?:${Object.keys(DRAWN).join("|")})`, "u");

export function usual(character) {
  return el("img", { class: "emoji custom", src: `/page/${DRAWN[character]}.svg`, alt: character, draggable: "false" });
}
