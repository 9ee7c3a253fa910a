// The list above the composer.

import { el, fresh } from "./dom.js";

export class Suggest {
  constructor(label) {
    this.id = fresh("suggest");
    this.node = el("ul", { class: "suggest", id: this.id, role: "listbox", "aria-label": label, hidden: true });
    this.node.addEventListener("mousedown", (event) => event.preventDefault());
    this.items = [];
    this.at = -1;
    this.input = null;
  }

  get open() {
    return !this.node.hidden;
  }

  // `at` is what Enter takes; -1 for nothing, until an arrow moves there.
  show(input, items, at) {
    if (!items.length) return this.hide();
    this.hide();
    this.input = input;
    this.items = items;
    this.at = Math.min(at, items.length - 1);
    this.rows = items.map((one, index) =>
      el(
        "li",
        { role: "option", id: `${this.id}-${index}`, onclick: () => one.run() },
        el("span", { class: "what" }, one.label),
        one.detail ? el("small", {}, one.detail) : null,
      ),
    );
    this.node.replaceChildren(...this.rows);
    this.node.hidden = false;
    input.setAttribute("aria-expanded", "true");
    input.setAttribute("aria-controls", this.id);
    this.paint();
    return undefined;
  }

  hide() {
    this.node.hidden = true;
    this.input?.setAttribute("aria-expanded", "false");
    this.input?.removeAttribute("aria-activedescendant");
    this.at = -1;
  }

  paint() {
    this.rows.forEach((row, index) => row.setAttribute("aria-selected", String(index === this.at)));
    const row = this.rows[this.at];
    if (row) {
      this.input.setAttribute("aria-activedescendant", row.id);
      row.scrollIntoView({ block: "nearest" });
    } else {
      this.input.removeAttribute("aria-activedescendant");
    }
  }

  // What Enter takes, if anything.
  take() {
    if (this.at < 0) return false;
    this.items[this.at].run();
    return true;
  }

  // Whether the key was for the list.
  key(event) {
    if (!this.open || event.altKey) return false;
    const count = this.items.length;
    if (event.key === "ArrowDown") this.at = (this.at + 1) % count;
    else if (event.key === "ArrowUp") this.at = (this.at <= 0 ? count : this.at) - 1;
    else if (event.key === "Escape") this.hide();
    else if (!(event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) || !this.take()) return false;
    event.preventDefault();
    event.stopPropagation();
    if (this.open) this.paint();
    return true;
  }
}
