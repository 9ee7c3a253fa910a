// Attachments and pictures. Only what the stand-in itself keeps is loaded: the page asks nobody else.

import { address } from "./directory.js";
import { el } from "./dom.js";

export function attachments(list) {
  return list.map((one) => (one.content_type?.startsWith("image/") ? picture(one, one.description) : fileOf(one)));
}

export function picture(media, description, kind = "picture") {
  const url = own(media.url);
  const alt = description || "";
  if (!url) return el("p", { class: "elsewhere" }, alt || "Picture", " (on the net, not loaded here)");
  const shown = (name) => el("img", { class: name, src: url, alt, title: alt || null, width: media.width, height: media.height });
  if (kind !== "picture") return shown(kind);
  return el("a", { class: "enlarge", href: url, target: "_blank", onclick: (event) => enlarge(event, shown("whole")) }, shown(kind));
}

// A picture as large as the window lets it be; any press puts it away.
function enlarge(event, image) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const dialog = el("dialog", { class: "lightbox", "aria-label": image.alt || "Picture", onclick: () => dialog.close(), onclose: () => dialog.remove() }, image, el("button", { type: "button", class: "button secondary" }, "Close"));
  document.body.append(dialog);
  dialog.showModal();
}

export function fileOf(one) {
  const url = own(one.url);
  const size = one.size === undefined ? "" : ` · ${sized(one.size)}`;
  const name = url ? el("a", { href: url, download: one.filename }, one.filename) : one.filename;
  return el("p", { class: "file" }, el("span", { "aria-hidden": "true" }, "▤ "), name, el("small", {}, size));
}

function sized(bytes) {
  return bytes < 1024 ? `${bytes} bytes` : bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1048576).toFixed(1)} MB`;
}

function own(url) {
  const here = `${address}/`;
  return url.startsWith(here) ? `/${url.slice(here.length)}` : null;
}
