// "GOPS is typing …", above the composer.

import { name } from "./directory.js";
import { dots, el } from "./dom.js";
import { whenLetGo } from "./press.js";

const LASTS = 10000;

export class Typing {
  constructor() {
    this.node = el("p", { class: "typing", hidden: true });
    this.who = new Map(); // user → the timer that ends it
  }

  start(user) {
    clearTimeout(this.who.get(user));
    this.who.set(user, setTimeout(() => this.stop(user), LASTS));
    this.paint();
  }

  stop(user) {
    clearTimeout(this.who.get(user));
    this.who.delete(user);
    this.paint();
  }

  clear() {
    for (const user of [...this.who.keys()]) this.stop(user);
  }

  paint() {
    whenLetGo(this, () => {
      const names = [...this.who.keys()].map((one) => name(one) || "Someone");
      this.node.hidden = !names.length;
      this.node.replaceChildren(dots(), `${names.join(", ")} ${names.length > 1 ? "are" : "is"} typing …`);
    });
  }
}
