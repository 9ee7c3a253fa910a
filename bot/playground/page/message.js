// One message as Discord draws it.

import { absolute, late, now } from "./clock.js";
import { component } from "./component.js";
import { avatar, dots, el, nameOf } from "./dom.js";
import { embed } from "./embed.js";
import { attachments } from "./file.js";
import { markdown } from "./markdown.js";

const EPHEMERAL = 1 << 6;
const LOADING = 1 << 7;
const SILENT = 1 << 12;
const V2 = 1 << 15;
const TOKEN = 900; // seconds in which a deferred answer can still come

export function draw(message, pane) {
  const author = nameOf(message.author, message.member);
  const private_ = Boolean(message.flags & EPHEMERAL);
  const ctx = { ...pane.ctx, message, everyone: message.mention_everyone };
  const node = el("li", { class: "message", tabindex: "-1", "aria-label": `${author}${private_ ? ", only you can see this" : ""}` });
  node.dataset.message = message.id;
  if (private_) node.classList.add("ephemeral");
  if (message.mentions.some((one) => one.id === pane.client.me.id)) node.classList.add("mentions-me");
  const seconds = Date.parse(message.timestamp) / 1000;
  const lead = above(message, ctx);
  if (lead) node.append(lead);
  // With the keyboard: arrows go from message to message, and what belongs to one is behind it.
  const own = (place) => node.querySelectorAll(".author, .more").forEach((one) => (one.tabIndex = place));
  node.addEventListener("focusin", () => own(0));
  node.addEventListener("focusout", (event) => node.contains(event.relatedTarget) || own(-1));
  node.append(
    el(
      "div",
      { class: "line" },
      avatar(message.author),
      el(
        "div",
        { class: "content" },
        el(
          "div",
          { class: "head" },
          el("button", { class: "author", type: "button", tabindex: -1, onclick: (event) => pane.userMenu(event, message.author) }, author),
          message.author.bot ? el("span", { class: "tag" }, "APP") : null,
          el("time", { class: "when", datetime: message.timestamp, title: absolute(seconds, "F") }, absolute(seconds, "t")),
          message.flags & SILENT ? el("span", { class: "silent", title: "Sent without a notification" }, "silent") : null,
          el("button", { class: "more", type: "button", tabindex: -1, "aria-label": "Apps for this message", onclick: (event) => pane.messageMenu(event, message) }, "⋯"),
        ),
        el("div", { class: "body" }, body(message, ctx)),
        private_ ? footer(message, pane) : null,
        el("p", { class: "failed", role: "alert", hidden: true }),
      ),
    ),
  );
  return node;
}

function above(message, ctx) {
  if (message.interaction && message.type === 20) {
    const used = message.interaction;
    return el("div", { class: "above" }, ctx.mention(used.user.id), " used ", el("span", { class: "mention" }, `/${used.name}`));
  }
  const to = message.referenced_message;
  if (message.message_reference && to) {
    const text = to.content || "a message";
    return el(
      "div",
      { class: "above" },
      "in reply to ",
      el("a", { href: "#", onclick: (event) => ctx.jump(event, to.channel_id, to.id) }, `${nameOf(to.author)}: ${text.slice(0, 80)}`),
    );
  }
  return null;
}

function body(message, ctx) {
  if (message.flags & LOADING) return [thinking(message)];
  if (message.flags & V2) return message.components.map((one) => component(one, ctx));
  const edited = message.edited_timestamp ? el("span", { class: "edited" }, "(edited)") : null;
  const text = message.content ? el("div", { class: "text" }, markdown(message.content, ctx)) : null;
  if (text && edited) (text.lastElementChild || text).append(" ", edited);
  return [
    text,
    ...attachments(message.attachments),
    ...message.embeds.map((one) => embed(one, ctx)),
    ...message.components.map((one) => component(one, ctx)),
  ];
}

function thinking(message) {
  const until = Date.parse(message.timestamp) / 1000 + TOKEN;
  if (now() > until) return late();
  return el("p", { class: "thinking", "data-until": until }, dots(), `${nameOf(message.author, message.member)} is thinking …`);
}

function footer(message, pane) {
  return el(
    "p",
    { class: "only-you" },
    "Only you can see this · ",
    el("button", { type: "button", class: "link", onclick: () => pane.dismiss(message) }, "Dismiss message"),
  );
}
