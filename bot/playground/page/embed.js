// Embeds.

import { absolute } from "./clock.js";
import { el } from "./dom.js";
import { picture } from "./file.js";
import { inline, markdown } from "./markdown.js";

export function embed(one, ctx) {
  const title = one.title ? inline(one.title, ctx) : null;
  const foot = [one.footer?.text, one.timestamp ? absolute(Date.parse(one.timestamp) / 1000) : null].filter(Boolean).join(" · ");
  const node = el(
    "article",
    { class: "embed" },
    one.author ? el("p", { class: "embed-author" }, one.author.name) : null,
    title ? el("h3", {}, safe(one.url) ? el("a", { href: one.url, target: "_blank", rel: "noopener noreferrer" }, title) : title) : null,
    one.description ? el("div", { class: "text" }, markdown(one.description, ctx)) : null,
    one.fields?.length ? el("dl", {}, one.fields.map((field) => entry(field, ctx))) : null,
    one.image ? picture(one.image, one.image.description) : null,
    one.thumbnail ? picture(one.thumbnail, one.thumbnail.description, "thumbnail") : null,
    foot ? el("p", { class: "embed-foot" }, foot) : null,
  );
  if (typeof one.color === "number") node.style.setProperty("--accent", `#${one.color.toString(16).padStart(6, "0")}`);
  return node;
}

function entry(field, ctx) {
  return el("div", { class: field.inline ? "inline" : "" }, el("dt", {}, inline(field.name, ctx)), el("dd", { class: "text" }, markdown(field.value, ctx)));
}

function safe(url) {
  return /^https?:\/\//.test(url || "");
}
