// Writing: ordinary messages, and slash commands with their options as Discord completes them.

import { Form } from "./form.js";
import { el } from "./dom.js";
import { Suggest } from "./suggest.js";

export class Composer {
  constructor(pane) {
    this.pane = pane;
    this.commands = [];
    this.form = null;
    this.text = el("input", { class: "say", type: "text", role: "combobox", autocomplete: "off", maxlength: "2000", "aria-expanded": "false", "aria-autocomplete": "list" });
    this.fields = el("div", { class: "fields" }, this.text);
    this.refused = el("p", { class: "refused", role: "alert", hidden: true });
    this.about = el("p", { class: "hint", hidden: true });
    this.suggest = new Suggest(`Commands and values for ${pane.name}`);
    this.node = el("form", { class: "composer" }, el("div", { class: "lead" }, this.suggest.node, this.about), this.refused, this.fields);
    this.node.addEventListener("submit", (event) => event.preventDefault());
    this.text.addEventListener("input", () => (this.looking = this.typed()));
    this.text.addEventListener("keydown", (event) => this.key(event));
    this.text.addEventListener("blur", () => this.suggest.hide());
  }

  arrive(channel) {
    this.channel = channel;
    this.text.placeholder = `Message ${this.pane.title.textContent}`;
    this.text.setAttribute("aria-label", `Message ${this.pane.title.textContent}`);
    this.leave();
    this.load();
  }

  focus() {
    (this.form ? this.form : this.text).focus();
  }

  async load() {
    try {
      this.commands = flatten(await this.pane.client.commands(this.channel.id));
    } catch {
      this.commands = [];
    }
  }

  // -- the line itself

  async typed() {
    this.refuse(null);
    if (!this.text.value.startsWith("/")) return this.suggest.hide();
    if (!this.commands.length) await this.load();
    const value = this.text.value;
    if (!value.startsWith("/")) return undefined; // a command was chosen meanwhile
    const exact = this.commands.find((one) => value.startsWith(`${one.label} `));
    if (exact) return this.enter(exact, value.slice(exact.label.length));
    const group = this.isGroup(value);
    const words = value.slice(1).toLowerCase().split(/\s+/).filter(Boolean);
    const fitting = this.commands.filter((one) => words.every((word) => one.label.includes(word)));
    return this.suggest.show(
      this.text,
      fitting.map((one) => ({ label: one.label, detail: one.description, run: () => this.enter(one) })),
      group ? -1 : 0,
    );
  }

  // A word that several commands begin with, and that is none itself.
  isGroup(text) {
    return this.commands.some((one) => one.label.startsWith(`${text} `)) && !this.commands.some((one) => one.label === text);
  }

  key(event) {
    if (this.suggest.key(event)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.say();
    } else if (event.key === "Escape" && this.text.value) {
      this.text.value = "";
      this.refuse(null);
    }
  }

  async say() {
    const written = this.text.value;
    await this.looking;
    if (this.form) {
      this.form.send();
      return;
    }
    // What fits came after Enter was pressed.
    if (this.suggest.open && this.text.value === written && this.suggest.take()) return;
    const content = this.text.value.trim();
    if (!content) return;
    if (this.isGroup(content)) {
      this.text.value = `${content} `;
      this.looking = this.typed();
      return;
    }
    if (content.startsWith("/")) {
      this.refuse("There is no such command here.");
      return;
    }
    this.text.value = "";
    try {
      await this.pane.client.act("say", { channel: this.channel.id, content });
    } catch (error) {
      this.text.value = content;
      this.refuse(error.message);
    }
  }

  // -- a command

  enter(command, rest = "") {
    this.suggest.hide();
    this.refuse(null);
    this.text.value = "";
    this.form = new Form(this, command);
    this.fields.replaceChildren(this.form.node);
    this.form.read(rest);
    this.form.focus();
  }

  leave() {
    this.suggest.hide();
    this.refuse(null);
    const had = this.form?.node.contains(document.activeElement);
    this.form = null;
    this.hint();
    this.fields.replaceChildren(this.text);
    if (had) this.text.focus();
  }

  async run(command, options) {
    const { form } = this;
    this.leave();
    const refused = await this.send("slash", { command: command.path, options }, command.app);
    if (!refused) return;
    // It comes back as it was, unless something else is being written by now.
    if (!this.form && !this.text.value) {
      this.form = form;
      this.fields.replaceChildren(form.node);
    }
    this.refuse(refused);
    this.form?.retry();
  }

  // Sends a command that needs nothing but its name; null if it was sent.
  async ask(label) {
    await this.load();
    const command = this.commands.find((one) => one.label === label);
    return command ? this.send("slash", { command: command.path, options: {} }, command.app) : "There is no such command.";
  }

  // Sends a command. The answer is why a client would not send it; null if it was sent.
  async send(what, body, app) {
    const pending = this.pane.log.pending(`Sending to ${app} …`);
    try {
      const acting = this.pane.client.act(what, { channel: this.channel.id, ...body });
      const told = await acting;
      if (told.state === "failed") pending.fail("The application did not respond");
      else pending.done();
      this.pane.answered(told);
      return null;
    } catch (error) {
      pending.done();
      this.refuse(error.message);
      return error.message;
    }
  }

  // What the option in hand is for.
  hint(name, text) {
    this.about.hidden = !name;
    this.about.replaceChildren(...(name ? [el("strong", {}, name), " ", text] : []));
  }

  refuse(text) {
    this.refused.hidden = !text;
    this.refused.textContent = text || "";
    this.form?.mark(text);
  }
}

// Commands with sub-commands, one entry for each that can be run.
function flatten(commands) {
  const out = [];
  const walk = (one, path, app) => {
    const nested = (one.options || []).filter((each) => each.type <= 2);
    if (nested.length) nested.forEach((each) => walk(each, `${path} ${each.name}`, app));
    else out.push({ path, label: path, description: one.description, options: one.options || [], app });
  };
  for (const one of commands) if (one.type === 1) walk(one, `/${one.name}`, one.app);
  return out;
}
