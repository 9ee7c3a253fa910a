// A chosen command: its name, a field for every option in use, and the options that are left.

import { el } from "./dom.js";
import { Field } from "./field.js";

export class Form {
  constructor(composer, command) {
    this.composer = composer;
    this.command = command;
    this.fields = [];
    this.more = el("input", { class: "rest", type: "text", role: "combobox", autocomplete: "off", "aria-expanded": "false", "aria-autocomplete": "list" });
    this.more.addEventListener("input", () => this.typed());
    this.more.addEventListener("focus", () => this.offer());
    this.more.addEventListener("blur", () => this.suggest.hide());
    this.more.addEventListener("keydown", (event) => this.key(event));
    this.node = el("div", { class: "command", role: "group", "aria-label": command.label }, el("span", { class: "pill" }, command.label), this.more);
    for (const option of command.options) if (option.required) this.add(option);
    this.count();
  }

  get suggest() {
    return this.composer.suggest;
  }

  get left() {
    return this.command.options.filter((one) => !this.fields.some((field) => field.option === one));
  }

  focus() {
    (this.fields.find((one) => one.empty)?.input || this.more).focus();
  }

  add(option) {
    const field = new Field(this, option);
    this.fields.push(field);
    this.node.insertBefore(field.node, this.more);
    this.count();
    return field;
  }

  remove(field) {
    const at = this.fields.indexOf(field);
    if (field.option.required) return this.composer.leave();
    this.fields.splice(at, 1);
    field.node.remove();
    this.count();
    (this.fields[at - 1]?.input || this.more).focus();
    return undefined;
  }

  // From a field that is filled to the next that is not.
  next(field) {
    const after = this.fields.slice(this.fields.indexOf(field) + 1).find((one) => one.empty);
    (after?.input || this.more).focus();
  }

  count() {
    const left = this.left.length;
    this.more.placeholder = left ? `+${left} optional` : "";
    this.more.setAttribute("aria-label", left ? `${left} more options of ${this.command.label}; Enter sends` : "Enter sends the command");
  }

  values() {
    return Object.fromEntries(this.fields.filter((one) => !one.empty).map((one) => [one.option.name, one.value()]));
  }

  // A command that was written or pasted as one line, such as `Ben cards:5`: the first option may go without its name.
  read(text) {
    const names = this.command.options.map((one) => one.name).join("|");
    const [loose, ...named] = names ? text.split(new RegExp(`(?:^|\\s)(${names}):`)) : [text];
    const isFirst = loose.trim() && this.command.options.length && !this.unknown(loose.trim().split(/\s/)[0]);
    if (!isFirst) this.more.value = loose.trim();
    const pairs = isFirst ? [[this.command.options[0].name, loose]] : [];
    for (let at = 0; at < named.length; at += 2) pairs.push([named[at], named[at + 1]]);
    for (const [name, value] of pairs) {
      const field = this.fields.find((one) => one.option.name === name) || this.add(this.left.find((one) => one.name === name));
      field.input.value = value.trim();
      field.size();
    }
  }

  // The name of another option and a colon, typed after a value, go on with that option.
  split(field) {
    const empty = (one) => this.fields.find((each) => each.option === one)?.empty ?? true;
    const names = this.command.options.filter((one) => one !== field.option && empty(one)).map((one) => one.name);
    const found = names.length ? new RegExp(`^(.*?)\\s(${names.join("|")}):(.*)$`).exec(field.input.value) : null;
    if (!found) return false;
    const [, value, name, rest] = found;
    field.input.value = value.trim();
    field.size();
    const next = this.fields.find((one) => one.option.name === name) || this.add(this.left.find((one) => one.name === name));
    if (rest) next.input.value = rest.trimStart();
    next.input.focus();
    if (rest) next.typed();
    return true;
  }

  // The first name with a colon in a text that is no option of this command.
  unknown(text) {
    const named = [...text.matchAll(/(?:^|\s)([a-z][\w-]*):(?!\/\/)/gi)].map((one) => one[1]);
    return named.find((name) => !this.command.options.some((one) => one.name === name));
  }

  // Where something is written that no option takes, and the refusal; only free text may hold a name with a colon.
  stray() {
    const known = this.command.options.map((one) => one.name);
    const refusal = (name) => `${this.command.label} has no option "${name}"; it has ${known.join(", ") || "none"}.`;
    for (const { input, isFree } of this.fields) {
      const name = isFree ? null : this.unknown(input.value);
      if (name) return { input, why: refusal(name) };
    }
    const [name] = this.more.value.trim().split(":");
    const why = known.includes(name) ? `"${name}" is given twice.` : refusal(name);
    return name ? { input: this.more, why } : null;
  }

  async send() {
    this.suggest.hide();
    const stray = this.stray();
    if (stray) {
      stray.input.focus();
      this.suggest.hide();
      this.composer.refuse(stray.why);
      return;
    }
    const field = this.fields.find((one) => one.wrong());
    if (field) {
      field.input.focus();
      this.suggest.hide();
      this.composer.refuse(field.wrong());
      return;
    }
    await Promise.all(this.fields.map((one) => one.reading));
    await this.composer.run(this.command, this.values());
  }

  // Back to what was refused.
  retry() {
    (this.fields.find((one) => one.input.hasAttribute("aria-invalid"))?.input || this.more).focus();
  }

  mark(text) {
    for (const field of this.fields) field.mark(Boolean(text?.startsWith(`"${field.option.name}" `)));
  }

  // -- the options that are left

  offer() {
    const typed = this.more.value.trim().toLowerCase();
    const items = this.left
      .filter((one) => one.name.startsWith(typed))
      .map((one) => ({ label: one.name, detail: one.description, run: () => this.choose(one) }));
    this.suggest.show(this.more, items, typed ? 0 : -1);
  }

  choose(option) {
    this.more.value = "";
    this.add(option).input.focus();
  }

  typed() {
    this.composer.refuse(null);
    const named = /^([\w-]+):$/.exec(this.more.value.trim());
    const option = named && this.left.find((one) => one.name === named[1]);
    if (option) this.choose(option);
    else this.offer();
  }

  key(event) {
    if (this.suggest.key(event)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.send();
    } else if (event.key === "Escape") {
      this.composer.leave();
    } else if (event.key === "Backspace" && !this.more.value) {
      event.preventDefault();
      const last = this.fields[this.fields.length - 1];
      if (last) last.input.focus();
      else this.composer.leave();
    }
  }
}
