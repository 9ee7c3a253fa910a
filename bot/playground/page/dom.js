// Building nodes. Text only ever becomes text nodes: nothing here reads HTML.

export function el(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "indeterminate") node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((one) => one !== null && one !== undefined && one !== false));
  return node;
}

// Three dots that wander.
export function dots() {
  return el("span", { class: "dots", "aria-hidden": "true" }, el("i", {}), el("i", {}), el("i", {}));
}

let last = 0;

// An id that nothing else on the page has.
export function fresh(prefix) {
  last += 1;
  return `${prefix}-${last}`;
}

export function avatar(user) {
  if (user.bot) return el("span", { class: "avatar bot", "aria-hidden": "true" });
  const name = nameOf(user);
  const node = el("span", { class: "avatar", "aria-hidden": "true" }, [...name][0]?.toUpperCase() || "?");
  node.dataset.hue = String([...name].reduce((sum, one) => (sum * 31 + one.codePointAt(0)) % 997, 7) % 6);
  return node;
}

// What waits for somebody: shown as a number, which is no text, and told in words.
export function waiting(pings, unread) {
  const told = pings ? `, ${pings} unread notification${pings === 1 ? "" : "s"}` : unread ? ", unread" : "";
  return { told, badge: pings ? el("span", { class: "badge", "aria-hidden": "true", "data-count": pings }) : null };
}

export function nameOf(user, member) {
  return member?.nick || user.global_name || user.username;
}
