// What a screen reader is told of messages: those that come, and changes of the one that somebody is busy with.

import { el } from "./dom.js";

const LONG_ENOUGH = 1000;
let ear = null; // the window where somebody was last: what is public would else be told by every window

export class Voice {
  constructor(pane) {
    this.pane = pane;
    this.node = el("div", { class: "unseen", "aria-live": "polite" });
    pane.node.addEventListener("focusin", () => (ear = pane));
  }

  message(node) {
    if (!this.pane.visible) return;
    if (!ear?.visible) ear = this.pane;
    if (ear === this.pane) this.say(words(node));
  }

  say(text) {
    const line = el("p", {}, text);
    this.node.append(line);
    setTimeout(() => line.remove(), LONG_ENOUGH);
  }
}

function words(node) {
  const parts = [...node.querySelectorAll(".text, .thinking, .embed-author, .embed h3, .embed dt, .file, img")];
  const said = parts.filter((one) => !one.parentElement.closest(".text")).map((one) => one.alt || one.innerText.trim().replace(/\n+/g, ". "));
  return `${node.getAttribute("aria-label")}: ${said.join(". ")}`;
}
