// The messages of one channel, changed in place.

import { el } from "./dom.js";
import { draw } from "./message.js";
import { whenLetGo } from "./press.js";
import { keepSelect } from "./select.js";

const KEYS = "button, a[href]";

export class Log {
  constructor(pane) {
    this.pane = pane;
    this.list = el("ol", {});
    this.node = el("div", { class: "log", role: "log", tabindex: "0", "aria-label": "Messages", "aria-live": "off" }, this.list);
    // Stays at the end while it is there, however the end grows.
    this.atEnd = true;
    this.node.addEventListener("scroll", () => {
      this.atEnd = this.node.scrollHeight - this.node.scrollTop - this.node.clientHeight < 40;
    });
    new ResizeObserver(() => this.settle()).observe(this.list);
    new ResizeObserver(() => this.settle()).observe(this.node);
    this.node.addEventListener("keydown", (event) => this.key(event));
  }

  fill(messages) {
    this.atEnd = true;
    const ordered = messages.sort((a, b) => (before(a.id, b.id) ? -1 : 1));
    this.list.replaceChildren(...ordered.map((one) => draw(one, this.pane)));
    this.settle();
  }

  // A message is new, changed or gone: it is shown as it is by then.
  update(id) {
    whenLetGo(`${this.pane.client.me.id} ${id}`, () => {
      const message = this.pane.client.within(this.pane.here).get(id);
      if (message) this.put(message);
      else this.find(id)?.remove();
    });
  }

  put(message) {
    const old = this.find(message.id);
    const drawn = draw(message, this.pane);
    if (old) {
      const focus = this.focusIn(old);
      const open = keepSelect(old);
      old.replaceWith(drawn);
      focus(drawn);
      open(drawn);
      if (drawn.contains(document.activeElement)) this.pane.voice.message(drawn);
    } else {
      const after = [...this.list.children].find((one) => one.dataset.message && before(message.id, one.dataset.message));
      this.list.insertBefore(drawn, after || this.list.querySelector(".pending"));
      if (message.author.id !== this.pane.client.me.id) this.pane.voice.message(drawn);
    }
    this.settle();
  }

  find(id) {
    return this.list.querySelector(`[data-message="${CSS.escape(id)}"]`);
  }

  // Up and down go from message to message.
  key(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const at = event.target.closest(".message");
    if (!step || event.altKey || (event.target !== this.node && event.target !== at)) return;
    const all = [...this.list.querySelectorAll(".message")];
    const to = at ? all[all.indexOf(at) + step] : all[all.length - 1];
    if (!to) return;
    event.preventDefault();
    to.focus();
  }

  end() {
    this.atEnd = true;
    this.settle();
  }

  // What stood in the same place of the message gets the focus back, dead or alive.
  focusIn(old) {
    const active = document.activeElement;
    if (!old.contains(active)) return () => {};
    const place = [...old.querySelectorAll(KEYS)].indexOf(active);
    return (drawn) => (drawn.querySelectorAll(KEYS)[place] || drawn).focus({ preventScroll: true });
  }

  jump(id) {
    const found = this.find(id);
    if (!found) return this.pane.say("That message is gone.");
    found.scrollIntoView({ block: "center" });
    found.focus({ preventScroll: true });
    found.classList.add("found");
    return setTimeout(() => found.classList.remove("found"), 1500);
  }

  fail(id, text) {
    const node = this.find(id)?.querySelector(".failed");
    if (!node) return;
    node.hidden = !text;
    node.textContent = text || "";
    this.settle();
  }

  // A line for a command that is under way; gone, or red, once it is settled.
  pending(text) {
    const node = el("li", { class: "pending" }, text);
    this.list.append(node);
    this.atEnd = true;
    this.settle();
    return {
      done: () => node.remove(),
      fail: (why) => {
        node.replaceChildren(
          el("span", { class: "failed", role: "alert" }, why),
          " ",
          el("button", { type: "button", class: "link", onclick: () => node.remove() }, "Dismiss"),
        );
        this.settle();
      },
    };
  }

  settle() {
    whenLetGo(this, () => {
      if (this.atEnd) this.node.scrollTop = this.node.scrollHeight;
    });
  }
}

function before(one, other) {
  return one.length === other.length ? one < other : one.length < other.length;
}
