// One option of a command: what fits is offered, what is typed is kept.

import { problem, range } from "./check.js";
import { members, name as nameOfId, roles } from "./directory.js";
import { el } from "./dom.js";
import { readFile } from "./modal.js";

const SLOWLY = 120;
const PATIENCE = 400;
const TEXT = 3;
const USER = 6;
const FILE = 11;

export class Field {
  constructor(form, option) {
    this.form = form;
    this.option = option;
    this.picked = null;
    this.asked = 0;
    const file = option.type === FILE;
    this.input = el("input", {
      type: file ? "file" : "text", autocomplete: "off", role: file ? null : "combobox", "aria-expanded": file ? null : "false", "aria-autocomplete": file ? null : "list",
      inputmode: option.type === 4 ? "numeric" : null, "aria-label": `${option.name}: ${option.description}`, "aria-required": String(Boolean(option.required)), title: option.description,
    });
    this.node = el("label", { class: "field" }, el("span", { "aria-hidden": "true" }, option.name, option.required ? el("b", { title: "required" }, "*") : null), this.input);
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("focus", () => this.enter());
    this.input.addEventListener("blur", () => this.leave());
    this.input.addEventListener("keydown", (event) => this.key(event));
    if (file) this.input.addEventListener("change", () => this.attach());
  }

  enter() {
    const { name, description } = this.option;
    this.form.composer.hint(name, [description, range(this.option)].filter(Boolean).join(" · "));
    this.offer();
  }

  // What does not fit is said as soon as somebody goes on; what is empty may still be filled in.
  leave() {
    this.form.suggest.hide();
    this.form.composer.hint();
    if (!this.empty) this.form.composer.refuse(this.wrong());
  }

  wrong() {
    if (this.empty) return problem(this.option, "", null);
    return this.picked ? null : problem(this.option, this.value(), this.option.autocomplete ? null : this.choices());
  }

  // Whether a colon in it means nothing: it takes any text, or it is one of the values on offer.
  get isFree() {
    const { type, autocomplete, choices } = this.option;
    return this.picked || type === FILE || (type === TEXT && !autocomplete && !choices?.length) || (this.choices() && !this.wrong());
  }

  get empty() {
    return this.input.value.trim() === "";
  }

  // What is sent: what was picked, else what was typed if it names something, else the text itself.
  value() {
    if (this.picked) return this.picked.value;
    const typed = this.input.value.trim();
    const same = this.choices()?.find((one) => one.label.toLowerCase() === typed.toLowerCase().replace(/^[@#]/, ""));
    if (same) return same.value;
    const number = Number(typed);
    return [4, 10].includes(this.option.type) && typed && Number.isFinite(number) ? number : typed;
  }

  choices() {
    const { type, choices } = this.option;
    const ctx = this.form.composer.pane.ctx;
    const { me } = this.form.composer.pane.client;
    const last = (one) => Number(one.bot) * 2 + Number(one.id === me.id); // nobody is their own first choice
    const people = () => members(ctx.guild)
      .sort((a, b) => last(a) - last(b))
      .map((one) => ({ label: nameOfId(one.id), detail: one.bot ? "App" : null, value: one.id }));
    const all = {
      5: () => [{ label: "True", value: true }, { label: "False", value: false }],
      [USER]: people,
      7: () => ctx.channels().map((one) => ({ label: one.name, value: one.id })),
      8: () => roles(ctx.guild).map((one) => ({ label: one.name, value: one.id })),
      9: people,
    };
    if (choices?.length) return choices.map((one) => ({ label: one.name, value: one.value }));
    return all[type]?.() || null;
  }

  typed() {
    this.picked = null;
    this.form.composer.refuse(null);
    if (!this.form.split(this)) this.offer();
  }

  offer() {
    if (this.option.type === FILE) return;
    if (this.option.autocomplete) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.ask(), SLOWLY);
      return;
    }
    const typed = this.input.value.trim().toLowerCase().replace(/^[@#]/, "");
    const fitting = (this.choices() || []).filter((one) => this.picked || one.label.toLowerCase().includes(typed));
    this.show(fitting);
  }

  async ask() {
    const mine = (this.asked += 1);
    const { composer, command } = this.form;
    const options = { ...this.form.values(), [this.option.name]: this.picked ? "" : this.input.value };
    let found = [];
    const isHere = () => mine === this.asked && document.activeElement === this.input;
    const loading = setTimeout(() => isHere() && this.show([{ label: "Loading options …", value: null }]), PATIENCE);
    try {
      const told = await composer.pane.client.act("autocomplete", {
        channel: composer.channel.id, command: command.path, options, focused: this.option.name,
      });
      found = (told.choices || []).map((one) => ({ label: one.name, value: one.value }));
      if (told.state === "failed") found = [{ label: "Loading options failed", value: null }];
    } catch {
      // Without completions it can still be typed.
    }
    clearTimeout(loading);
    if (isHere()) this.show(found);
  }

  show(found) {
    const items = found.map((one) => ({ ...one, run: () => one.value !== null && this.pick(one) }));
    const self = this.empty && this.option.type === USER && found[0]?.value === this.form.composer.pane.client.me.id;
    const isNews = found[0]?.value === null; // that they load, or failed to: Enter sends what is typed
    this.form.suggest.show(this.input, items, isNews || self || this.picked || (this.empty && !this.option.required) ? -1 : 0);
  }

  pick(one) {
    this.picked = one;
    this.input.value = one.label;
    this.size();
    this.form.suggest.hide();
    this.form.next(this);
  }

  async attach() {
    const file = this.input.files[0];
    this.reading = file ? readFile(file) : null;
    this.picked = file ? { value: await this.reading } : null;
  }

  size() {
    this.input.size = Math.max(6, Math.min(40, this.input.value.length));
  }

  mark(wrong) {
    this.node.classList.toggle("wrong", wrong);
    if (wrong) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }

  key(event) {
    const { suggest } = this.form;
    if (suggest.key(event)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.form.send();
    } else if (event.key === "Escape") {
      this.form.composer.leave();
    } else if (event.key === "Backspace" && this.empty) {
      event.preventDefault();
      this.form.remove(this);
    }
  }
}
