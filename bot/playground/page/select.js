// Selects of every kind: a button that opens a listbox.

import { members, name as nameOfId, roles } from "./directory.js";
import { el, fresh } from "./dom.js";
import { emoji } from "./component.js";

const LISTS = new WeakMap(); // by node, what an edit of the message needs to know

// In a message a choice is sent at once; `take` (in a modal) keeps it instead.
export function select(one, ctx, take) {
  const options = offered(one, ctx);
  const most = one.max_values ?? 1;
  let chosen = options.filter((each) => each.default).map((each) => each.value);
  const id = fresh("list");
  const shown = el("span", {});
  const button = el("button", {
    type: "button", class: "select-button", role: "combobox", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": id,
  }, shown, el("span", { class: "caret", "aria-hidden": "true" }, "▾"));
  const list = el("ul", { id, class: "select-list", role: "listbox", hidden: true, "aria-multiselectable": most > 1 });
  const node = el("div", { class: "select" }, button, list);
  const label = () => {
    const labels = options.filter((each) => chosen.includes(each.value)).map((each) => each.label);
    shown.textContent = labels.join(", ") || one.placeholder || "Make a selection";
    shown.classList.toggle("placeholder", !labels.length);
    button.setAttribute("aria-label", labels.length ? `${one.placeholder || "Selection"}: ${labels.join(", ")}` : shown.textContent);
  };
  label();
  if (one.disabled) {
    button.setAttribute("aria-disabled", "true");
    return node;
  }
  let before = "";
  let at = 0;
  const rows = options.map((each, index) => row(each, index));
  list.append(...rows);

  function row(each, index) {
    return el("li", { role: "option", id: `${id}-${index}`, onclick: () => toggle(index) },
      emoji(each.emoji),
      el("span", {}, each.label, each.description ? el("small", {}, each.description) : null));
  }
  function paint() {
    rows.forEach((each, index) => {
      each.setAttribute("aria-selected", String(chosen.includes(options[index].value)));
      each.classList.toggle("active", index === at);
    });
    button.setAttribute("aria-activedescendant", rows[at]?.id || "");
    rows[at]?.scrollIntoView({ block: "nearest" });
  }
  function open() {
    before = chosen.join("\n");
    at = Math.max(0, options.findIndex((each) => chosen.includes(each.value)));
    list.hidden = false;
    button.setAttribute("aria-expanded", "true");
    const log = node.closest(".log, .modal")?.getBoundingClientRect();
    list.classList.toggle("up", Boolean(log) && list.getBoundingClientRect().bottom > log.bottom && button.getBoundingClientRect().top - log.top > list.offsetHeight);
    paint();
  }
  function close(keep = true) {
    if (list.hidden) return;
    list.hidden = true;
    button.setAttribute("aria-expanded", "false");
    button.removeAttribute("aria-activedescendant");
    if (!keep) chosen = before ? before.split("\n") : [];
    label();
    if (keep && chosen.join("\n") !== before && chosen.length >= (one.min_values ?? 1)) settle();
  }
  function settle() {
    if (take) take(chosen);
    else ctx.choose(one, chosen, button);
  }
  function toggle(index) {
    const value = options[index]?.value;
    if (value === undefined) return;
    at = index;
    if (most === 1) {
      // Picking the same again is an answer too.
      before = null;
      chosen = [value];
      list.hidden = false;
      close();
      return;
    }
    chosen = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value].slice(-most);
    paint();
  }
  button.addEventListener("click", () => (list.hidden ? open() : close()));
  button.addEventListener("keydown", (event) => {
    const keys = { ArrowDown: 1, ArrowUp: -1 };
    if (list.hidden && event.key in keys) open();
    else if (list.hidden) return;
    else if (event.key in keys) at = (at + keys[event.key] + options.length) % options.length;
    else if (event.key === "Enter" || event.key === " ") toggle(at);
    else if (event.key === "Escape") close(false);
    else {
      const found = options.findIndex((each, index) => index !== at && each.label.toLowerCase().startsWith(event.key.toLowerCase()));
      if (event.key.length !== 1 || found < 0) return;
      at = found;
    }
    event.preventDefault();
    event.stopPropagation();
    if (!list.hidden) paint();
  });
  LISTS.set(node, {
    id: one.custom_id,
    // What is open goes over to another drawing of the same select, and sends nothing here any more.
    leave() {
      if (list.hidden) return null;
      list.hidden = true;
      return { at, chosen, before };
    },
    arrive(was) {
      button.focus({ preventScroll: true });
      open();
      const still = (value) => options.some((each) => each.value === value);
      [before, chosen, at] = [was.before, was.chosen.filter(still), Math.min(was.at, options.length - 1)];
      paint();
    },
  });
  button.addEventListener("blur", () => close());
  list.addEventListener("mousedown", (event) => event.preventDefault());
  if (take) take(chosen);
  return node;
}

// A message that is drawn anew under an open list: the list stays open, as far as it is still there.
export function keepSelect(old) {
  const all = (message) => [...message.querySelectorAll(".select")].map((each) => LISTS.get(each)).filter(Boolean);
  const kept = all(old).map((each) => ({ id: each.id, was: each.leave() })).find((each) => each.was);
  return (drawn) => kept && all(drawn).find((each) => each.id === kept.id)?.arrive(kept.was);
}

function offered(one, ctx) {
  const preset = new Set((one.default_values || []).map((each) => each.id));
  const made = (id, label) => ({ value: id, label, default: preset.has(id) });
  const people = () => members(ctx.guild).map((each) => made(each.id, nameOfId(each.id)));
  const rolesHere = () => roles(ctx.guild).map((each) => made(each.id, each.name));
  switch (one.type) {
    case 3:
      return one.options;
    case 5:
      return people();
    case 6:
      return rolesHere();
    case 7:
      return [...people(), ...rolesHere()];
    default:
      return ctx.channels().map((each) => made(each.id, `#${each.name}`));
  }
}
