// Custom emojis: their pictures, in text and on buttons. One that is gone shows its name, as Discord does.
// Discord draws all others as pictures, too; of those we have some of our own, for machines whose fonts have none.

import { el } from "./dom.js";

export function custom(name, id) {
  const said = `:${name}:`;
  const image = el("img", { class: "emoji custom", src: `/emojis/${id}.png`, alt: "", title: said, draggable: "false", "aria-hidden": "true" });
  image.addEventListener("error", () => image.replaceWith(el("span", { class: "emoji", title: said, "aria-hidden": "true" }, said)), { once: true });
  return image;
}

const DRAWN = { "🔒": "lock", "🏅": "medal" };

export const OURS = new RegExp(`^(?:${Object.keys(DRAWN).join("|")})`, "u");

export function usual(character) {
  return el("img", { class: "emoji custom", src: `/page/${DRAWN[character]}.svg`, alt: character, draggable: "false" });
}
