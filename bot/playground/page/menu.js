// A small menu beside whatever was pressed.

import { el } from "./dom.js";

export function menu(anchor, label, items) {
  document.querySelector(".menu")?.remove();
  const node = el("div", { class: "menu", role: "menu", "aria-label": label });
  const close = (back) => {
    node.remove();
    document.removeEventListener("pointerdown", away, true);
    if (back) anchor.focus();
  };
  const away = (event) => {
    if (!node.contains(event.target)) close(false);
  };
  for (const item of items) {
    node.append(el("button", { type: "button", role: "menuitem", onclick: () => { close(true); item.run(); } }, item.label));
  }
  if (!items.length) node.append(el("p", {}, "No apps here."));
  node.addEventListener("keydown", (event) => {
    const all = [...node.querySelectorAll("button")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      all[(all.indexOf(document.activeElement) + step + all.length) % all.length]?.focus();
      event.preventDefault();
    } else if (event.key === "Escape") {
      close(true);
      event.stopPropagation();
    }
  });
  document.body.append(node);
  const box = anchor.getBoundingClientRect();
  node.style.left = `${Math.max(8, Math.min(box.left, innerWidth - node.offsetWidth - 8))}px`;
  node.style.top = `${Math.max(8, Math.min(box.bottom + 4, innerHeight - node.offsetHeight - 8))}px`;
  document.addEventListener("pointerdown", away, true);
  node.querySelector("button")?.focus();
}
