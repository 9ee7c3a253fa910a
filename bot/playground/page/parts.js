// The processes of a bot that is several: how each is, and a key that kills it.

import { el } from "./dom.js";

export class Parts {
  constructor(drawer) {
    this.drawer = drawer;
    this.node = el("ul", { class: "parts", "aria-label": "Processes", hidden: true });
    this.words = new Map();
  }

  // Keys stay where they are, for whoever stands on one.
  paint(parts) {
    for (const [name, part] of Object.entries(parts)) {
      if (!this.words.has(name)) this.add(name);
      const words = part.state === "running" && part.doing ? `${name}: ${part.doing}.` : part.note;
      this.words.get(name).textContent = words;
      this.words.get(name).dataset.state = part.state;
    }
    this.node.hidden = this.words.size === 0;
  }

  add(name) {
    const words = el("span", {});
    this.words.set(name, words);
    const kill = el(
      "button",
      { type: "button", class: "button danger", "aria-label": `Kill ${name}`, onclick: () => this.drawer.process("kill", name) },
      "Kill",
    );
    this.node.append(el("li", {}, words, kill));
  }
}
