// One person's window: the list of channels, the messages of one of them, and the composer.

import { Composer } from "./composer.js";
import * as directory from "./directory.js";
import { avatar, el, nameOf, waiting } from "./dom.js";
import { Log } from "./log.js";
import { inline } from "./markdown.js";
import { menu } from "./menu.js";
import { openModal } from "./modal.js";
import { whenLetGo } from "./press.js";
import { Voice } from "./speak.js";
import { Typing } from "./typing.js";

export class Pane {
  // `changed` is called when something may be read or unread, `moved` when this person goes to another channel.
  constructor(client, changed, moved) {
    this.client = client;
    this.changed = changed;
    this.moved = moved;
    this.here = null;
    this.entries = new Map(); // by channel, its button
    this.visible = false;
    this.name = nameOf(client.me);
    this.side = el("nav", { class: "side", "aria-label": `Channels of ${this.name}` });
    this.title = el("h2", {});
    this.toast = el("div", { class: "toast", role: "status" });
    this.typing = new Typing();
    this.log = new Log(this);
    this.composer = new Composer(this);
    this.node = el(
      "section",
      { class: "pane", "aria-label": `${this.name}'s window`, hidden: true },
      el(
        "div",
        { class: "frame" },
        this.side,
        el("div", { class: "room" }, el("header", {}, this.title), this.log.node, this.toast, this.typing.node, this.composer.node),
      ),
    );
    this.node.addEventListener("keydown", (event) => this.key(event));
    this.voice = new Voice(this);
    this.node.append(this.voice.node);
    this.ctx = this.context();
    client.hear = (frame) => this.hear(frame);
  }

  // What drawing a message needs to know of its surroundings.
  context() {
    const pane = this;
    return {
      get guild() {
        return pane.client.channels.get(pane.here)?.guild_id;
      },
      channels: () => [...this.client.channels.values()].filter((one) => one.type === 0),
      mention: (id) => {
        const user = directory.user(id);
        const mine = id === this.client.me.id ? " me" : "";
        if (!user) return el("span", { class: "mention" }, "@unknown-user");
        return el("button", { type: "button", class: `mention${mine}`, onclick: (event) => this.userMenu(event, user) }, `@${directory.name(id)}`);
      },
      channel: (id) => el("a", { href: "#", class: "mention", onclick: (event) => this.ctx.jump(event, id) }, this.ctx.place(id)),
      role: (id) => directory.roles(this.ctx.guild).find((one) => one.id === id)?.name,
      place: (id) => {
        const found = this.client.channels.get(id);
        return found ? title(found) : "#unknown";
      },
      jump: (event, channel, message) => {
        event.preventDefault();
        if (!this.client.channels.has(channel)) return this.say("You do not see that channel.");
        this.visit(channel);
        if (message) this.log.jump(message);
        return undefined;
      },
      press(one, node) {
        pane.use("press", { custom_id: one.custom_id }, this.message, node);
      },
      choose(one, values, node) {
        pane.use("choose", { custom_id: one.custom_id, values }, this.message, node);
      },
    };
  }

  hear(frame) {
    const channel = frame.message?.channel_id || frame.channel;
    switch (frame.type) {
      case "snapshot": {
        const wanted = sessionStorage.getItem(`here ${this.client.me.id}`);
        const first = [...this.client.channels.values()].find((one) => one.type === 0);
        this.here = null;
        this.go(this.client.channels.has(wanted) ? wanted : first?.id);
        this.arrived?.();
        return;
      }
      case "message_created":
        if (channel === this.here) this.typing.stop(frame.message.author.id);
      // falls through
      case "message_edited":
        if (channel === this.here) this.log.update(frame.message.id);
        break;
      case "typing":
        if (channel === this.here) this.typing.start(frame.user);
        return;
      case "message_deleted":
        if (channel === this.here) this.log.update(frame.message);
        break;
      case "notified":
        if (channel !== this.here || document.hidden) this.say(frame.push ? frame.text : `${frame.text} (silent)`, channel);
        break;
      case "interaction":
        return;
      case "channel_deleted":
        if (frame.channel.id === this.here) this.go([...this.client.channels.keys()][0]);
        break;
    }
    this.read();
  }

  // What is shown is read, unless the whole window is put away.
  read() {
    if (this.here && this.visible) this.client.see(this.here);
    this.paintSide();
    this.changed();
  }

  // Where nothing was written yet the bot is asked for its home card, once.
  async begin(command) {
    const place = this.client.channels.get(this.here);
    if (this.begun || !place?.guild_id || this.client.within(place.id).size) return;
    this.begun = true;
    this.begun = (await this.composer.ask(command)) === null;
  }

  appear(visible) {
    if (this.visible === visible) return;
    this.visible = visible;
    this.node.hidden = !visible;
    this.read();
  }

  waiting() {
    const all = [...this.client.channels.keys()];
    const pings = all.reduce((sum, id) => sum + (this.client.pings.get(id) || 0), 0);
    return { pings, unread: pings > 0 || all.some((id) => this.client.unread(id)) };
  }

  // Somebody goes to a channel; Back in the browser leads to the one before.
  visit(id) {
    const from = this.here;
    this.go(id);
    if (this.here !== from) this.moved();
  }

  go(id) {
    if (!id) return this.read();
    if (id !== this.here) {
      this.here = id;
      sessionStorage.setItem(`here ${this.client.me.id}`, id);
      const channel = this.client.channels.get(id);
      this.title.textContent = title(channel);
      this.typing.clear();
      if (this.toastFor === id) this.toast.classList.remove("shown");
      this.log.fill([...this.client.within(id).values()]);
      this.composer.arrive(channel);
    }
    return this.read();
  }

  paintSide() {
    const all = [...this.client.channels.values()];
    // A DM that was opened and never written in is not shown; a group is there from the beginning.
    const shown = all.filter((one) => one.guild_id || one.type === 3 || one.id === this.here || this.client.within(one.id).size);
    const nodes = new Map(shown.map((one) => [one, this.entry(one)]));
    const servers = [...new Set(shown.map((one) => one.guild_id).filter(Boolean))];
    const listed = [...servers.map(serverName), ...shown.map((one) => one.id)].join(" ");
    if (listed === this.listed) return;
    this.listed = listed;
    whenLetGo(`side ${this.client.me.id}`, () => this.list(shown, servers, nodes));
  }

  list(shown, servers, nodes) {
    const focused = this.side.contains(document.activeElement) ? document.activeElement.dataset.channel : null;
    this.side.replaceChildren(
      el("div", { class: "me" }, avatar(this.client.me), el("strong", {}, this.name)),
      ...(servers.length ? servers : [null]).flatMap((id) => [
        el("h2", {}, serverName(id)),
        ...shown.filter((one) => one.guild_id && one.guild_id === id).map((one) => nodes.get(one)),
      ]),
      el("h2", {}, "Direct messages"),
      ...shown.filter((one) => !one.guild_id).map((one) => nodes.get(one)),
    );
    if (focused) this.side.querySelector(`[data-channel="${focused}"]`)?.focus();
  }

  entry(one) {
    const pings = this.client.pings.get(one.id) || 0;
    const unread = !(one.id === this.here && this.visible) && (pings > 0 || this.client.unread(one.id));
    const { told, badge } = waiting(unread ? pings : 0, unread);
    let node = this.entries.get(one.id);
    if (!node) {
      node = el("button", { type: "button", onclick: () => this.visit(one.id) }, el("span", { class: "name" }));
      node.dataset.channel = one.id;
      this.entries.set(one.id, node);
    }
    node.className = `channel${unread ? " unread" : ""}`;
    node.setAttribute("aria-label", `${title(one)}${told}`);
    if (one.id === this.here) node.setAttribute("aria-current", "page");
    else node.removeAttribute("aria-current");
    if (node.firstChild.textContent !== title(one)) node.firstChild.textContent = title(one);
    node.querySelector(".badge")?.remove();
    if (badge) node.append(badge);
    return node;
  }

  // -- acting

  async use(what, body, message, node) {
    node.classList.add("busy");
    node.setAttribute("aria-busy", "true");
    this.log.fail(message.id, null);
    try {
      const told = await this.client.act(what, { channel: message.channel_id, message: message.id, ...body });
      if (told.state === "failed") this.log.fail(message.id, "This interaction failed");
      this.answered(told);
    } catch (error) {
      this.say(error.message); // not below the message, which may have changed or gone
    }
    node.classList.remove("busy");
    node.removeAttribute("aria-busy");
  }

  answered(told) {
    if (told.modal && told.state !== "failed") openModal(told, this);
  }

  async dismiss(message) {
    await this.client.act("dismiss", { message: message.id });
    this.composer.focus();
  }

  async userMenu(event, user) {
    const anchor = event.currentTarget;
    this.apps(anchor, nameOf(user), 2, { user: user.id });
  }

  async messageMenu(event, message) {
    this.apps(event.currentTarget, "Apps for this message", 3, { message: message.id });
  }

  async apps(anchor, label, type, target) {
    const offered = (await this.client.commands(this.here)).filter((one) => one.type === type);
    const items = offered.map((one) => ({
      label: one.name,
      run: () => this.composer.send("menu", { command: one.name, ...target }, one.app),
    }));
    menu(anchor, label, items);
  }

  // A notice; with a channel, of something there.
  say(text, channel) {
    this.toastFor = channel;
    this.toast.replaceChildren(...inline(text, this.ctx));
    if (channel) this.toast.append(" ", el("button", { type: "button", class: "link", onclick: () => this.visit(channel) }, "Open"));
    this.toast.classList.add("shown");
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => this.toast.classList.remove("shown"), 4000);
  }

  // Alt with up and down goes from channel to channel; whatever is typed lands in the composer, and so does Escape.
  key(event) {
    const typing = event.target.closest("input, textarea, [role=combobox], dialog");
    const letter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!typing && (letter || event.key === "Escape")) {
      this.composer.focus();
      if (!letter) this.log.end();
      return;
    }
    const step = event.altKey ? { ArrowDown: 1, ArrowUp: -1 }[event.key] : 0;
    if (!step) return;
    event.preventDefault();
    const all = [...this.client.channels.values()].sort((a, b) => Number(!a.guild_id) - Number(!b.guild_id)).map((one) => one.id);
    this.visit(all[(all.indexOf(this.here) + step + all.length) % all.length]);
  }
}

const serverName = (id) => directory.servers.find((one) => one.id === id)?.name || "Channels";

export function title(channel) {
  if (channel.type === 3) return channel.name;
  if (channel.type === 1) return `@${channel.recipients.map((one) => nameOf(one)).join(", ")}`;
  return `#${channel.name}`;
}
