// Components, old and new, by their type.

import { el } from "./dom.js";
import { custom } from "./emoji.js";
import { fileOf, picture } from "./file.js";
import { markdown } from "./markdown.js";
import { select } from "./select.js";

const STYLES = ["", "primary", "secondary", "success", "danger", "secondary", "primary"];

const MAKERS = {
  1: (one, ctx) => el("div", { class: "row" }, children(one, ctx)),
  2: button,
  3: select,
  5: select,
  6: select,
  7: select,
  8: select,
  9: (one, ctx) => el("div", { class: "section" }, el("div", {}, children(one, ctx)), component(one.accessory, ctx)),
  10: (one, ctx) => el("div", { class: "text" }, markdown(one.content, ctx)),
  11: (one) => covered(picture(one.media, one.description, "thumbnail"), one.spoiler),
  12: (one) => el("div", { class: "gallery" }, one.items.map((item) => covered(picture(item.media, item.description), item.spoiler))),
  13: (one) => covered(fileOf({ filename: one.name || "file", size: one.size, url: one.file.url }), one.spoiler),
  14: (one) => el("hr", { class: `${one.divider === false ? "bare" : ""} ${one.spacing === 2 ? "wide" : ""}` }),
  17: container,
};

export function component(one, ctx) {
  const make = MAKERS[one.type];
  return make ? make(one, ctx) : el("p", { class: "unknown" }, `(a component of type ${one.type})`);
}

function children(one, ctx) {
  return one.components.map((each) => component(each, ctx));
}

function container(one, ctx) {
  const node = el("div", { class: "container" }, children(one, ctx));
  if (typeof one.accent_color === "number") {
    node.classList.add("accented");
    node.style.setProperty("--accent", `#${one.accent_color.toString(16).padStart(6, "0")}`);
  }
  return covered(node, one.spoiler);
}

function covered(node, spoiler) {
  if (!spoiler) return node;
  const cover = el("button", { type: "button", class: "cover" }, "Spoiler: press to show");
  cover.addEventListener("click", () => cover.replaceWith(node));
  return cover;
}

export function emoji(one) {
  if (!one) return null;
  return one.id ? custom(one.name, one.id) : el("span", { class: "emoji", "aria-hidden": "true" }, one.name);
}

function button(one, ctx) {
  const inside = [emoji(one.emoji), one.label ? el("span", {}, one.label) : null];
  const label = one.emoji?.id ? null : one.label || one.emoji?.name || "button"; // a custom emoji is read, too
  if (one.style === 5 && !one.disabled) {
    return el("a", { class: "button secondary", href: one.url, target: "_blank", rel: "noopener noreferrer" }, inside, " ↗");
  }
  // A dead key stays where it is and keeps the focus, so that a second press of Enter lands on it.
  const node = el("button", { type: "button", class: `button ${STYLES[one.style] || "secondary"}`, "aria-label": label }, inside);
  if (one.disabled) {
    node.setAttribute("aria-disabled", "true");
    node.tabIndex = -1;
  } else {
    node.addEventListener("click", () => ctx.press(one, node));
  }
  return node;
}
