// Discord's markdown: a small tokenizer that builds nodes. Whatever it does not know stays text.

import { stamp } from "./clock.js";
import { el } from "./dom.js";
import { OURS, custom, usual } from "./emoji.js";

const BLOCKS = [
  [/^(#{1,3}) +(.*)$/, (found, ctx) => el(`h${found[1].length}`, { class: `md${found[1].length}` }, inline(found[2], ctx))],
  [/^-# +(.*)$/, (found, ctx) => el("small", {}, inline(found[1], ctx))],
];

const ITEM = /^( *)(?:[-*]|(\d{1,9})\.) (.*)$/;

// The whole text, as a fragment.
export function markdown(text, ctx) {
  const out = document.createDocumentFragment();
  const parts = text.split(/```(?:([\w+-]*)\n)?([\s\S]*?)```/);
  for (let at = 0; at < parts.length; at += 3) {
    lines(parts[at].replace(/^\n|\n$/g, at ? "" : "$&"), ctx, out);
    if (at + 2 < parts.length) out.append(el("pre", { tabindex: "0" }, el("code", {}, parts[at + 2].replace(/^\n|\n$/g, ""))));
  }
  return out;
}

function lines(text, ctx, out) {
  if (!text) return;
  const all = text.split("\n");
  let loose = [];
  const flush = () => {
    if (loose.length) out.append(el("p", {}, inline(loose.join("\n"), ctx)));
    loose = [];
  };
  for (let at = 0; at < all.length; at += 1) {
    const line = all[at];
    const block = BLOCKS.find(([pattern]) => pattern.test(line));
    if (line.startsWith(">>> ")) {
      flush();
      out.append(el("blockquote", {}, inner([line.slice(4), ...all.slice(at + 1)], ctx)));
      return;
    }
    if (block) {
      flush();
      out.append(block[1](block[0].exec(line), ctx));
    } else if (line.startsWith("> ")) {
      flush();
      const quoted = [line.slice(2)];
      while (all[at + 1]?.startsWith("> ")) quoted.push(all[(at += 1)].slice(2));
      out.append(el("blockquote", {}, inner(quoted, ctx)));
    } else if (ITEM.test(line)) {
      flush();
      const [list, next] = listFrom(all, at, ctx);
      out.append(list);
      at = next - 1;
    } else {
      loose.push(line);
    }
  }
  flush();
}

// The list that begins at a line, with those inside it; and the line after it.
function listFrom(all, from, ctx) {
  const [, indent, first] = ITEM.exec(all[from]);
  const list = el(first ? "ol" : "ul", {});
  let at = from;
  for (let found; (found = ITEM.exec(all[at] ?? "")); ) {
    const [, deeper, number, text] = found;
    if (deeper.length > indent.length && at > from) {
      const [inside, next] = listFrom(all, at, ctx);
      list.lastElementChild.append(inside);
      at = next;
    } else if (deeper.length < indent.length || Boolean(number) !== Boolean(first)) {
      break;
    } else {
      list.append(el("li", { value: number }, inline(text, ctx)));
      at += 1;
    }
  }
  return [list, at];
}

function inner(some, ctx) {
  const fragment = document.createDocumentFragment();
  lines(some.join("\n"), ctx, fragment);
  return fragment;
}

const WRAPPED = [
  [/^\*\*\*(?=\S)([\s\S]+?)\*\*\*(?!\*)/, (nodes) => el("strong", {}, el("em", {}, nodes))],
  [/^\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/, (nodes) => el("strong", {}, nodes)],
  [/^__((?:\\[\s\S]|[^\\])+?)__(?!_)/, (nodes) => el("u", {}, nodes)],
  [/^~~((?:\\[\s\S]|[^\\])+?)~~/, (nodes) => el("s", {}, nodes)],
  [/^\*(?=\S)((?:\\[\s\S]|[^\\*])+?)\*(?!\*)/, (nodes) => el("em", {}, nodes)],
  [/^_((?:\\[\s\S]|[^\\_])+?)_(?![\w_])/, (nodes) => el("em", {}, nodes)],
  [/^\|\|((?:\\[\s\S]|[^\\])+?)\|\|/, spoiler],
];

const ATOMS = [
  [/^\\([^A-Za-z0-9\s])/, (found) => found[1]],
  [/^(`+)([\s\S]*?[^`])\1(?!`)/, (found) => el("code", {}, found[1].length > 1 ? found[2].trim() : found[2])],
  [/^<t:(-?\d{1,13})(?::([tTdDfFR]))?>/, (found) => stamp(Number(found[1]), found[2])],
  [/^<@!?(\d{5,20})>/, (found, ctx) => ctx.mention(found[1])],
  [/^<@&(\d{5,20})>/, (found, ctx) => el("span", { class: "mention" }, `@${(ctx.role(found[1]) || "unknown-role").replace(/^@/, "")}`)],
  [/^<#(\d{5,20})>/, (found, ctx) => ctx.channel(found[1])],
  [/^<\/([^:>]{1,100}):\d{1,20}>/, (found) => el("span", { class: "mention" }, `/${found[1]}`)],
  // Browsers end a line behind a picture even where a no-break space follows.
  [/^<a?:(\w{2,32}):(\d{5,20})>\u00a0([^\s<\\*_~|`[]+)/, (found) => el("span", { class: "kept" }, custom(found[1], found[2]), `\u00a0${found[3]}`)],
  [/^<a?:(\w{2,32}):(\d{5,20})>/, (found) => custom(found[1], found[2])],
  [OURS, (found) => usual(found[0])],
  [/^\[((?:\\[\s\S]|[^\\\]])+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/, (found, ctx) => link(found[2], inline(found[1], ctx), ctx)],
  [/^<(https?:\/\/[^\s>]+)>/, (found, ctx) => link(found[1], [found[1]], ctx)],
  [/^https?:\/\/[^\s<>]+[^\s<>.,:;"')\]]/, (found, ctx) => link(found[0], [found[0]], ctx)],
  [/^@(?:everyone|here)\b/, (found, ctx) => (ctx.everyone ? el("span", { class: "mention" }, found[0]) : found[0])],
];

// What nothing else can begin with; emojis that have a picture end it.
const RUN = /^[^\\`*_~|<[@h\u{1f300}-\u{1faff}]+/u;

// One run of text, as a list of nodes and strings.
export function inline(text, ctx, depth = 0) {
  const out = [];
  let plain = "";
  let before = "";
  const flush = () => {
    if (plain) out.push(plain);
    plain = "";
  };
  for (let rest = text; rest; ) {
    const taken = atom(rest, ctx) || (depth < 8 ? wrap(rest, before, ctx, depth) : null);
    if (taken) {
      if (typeof taken[1] === "string") plain += taken[1];
      else {
        flush();
        out.push(taken[1]);
      }
      before = rest[taken[0] - 1];
      rest = rest.slice(taken[0]);
    } else {
      const run = RUN.exec(rest)?.[0] || [...rest][0];
      plain += run;
      before = run[run.length - 1];
      rest = rest.slice(run.length);
    }
  }
  flush();
  return out;
}

function atom(rest, ctx) {
  for (const [pattern, make] of ATOMS) {
    const found = pattern.exec(rest);
    if (found) return [found[0].length, make(found, ctx)];
  }
  return null;
}

function wrap(rest, before, ctx, depth) {
  for (const [pattern, make] of WRAPPED) {
    const found = pattern.exec(rest);
    if (found && !(rest[0] === "_" && /\w/.test(before))) {
      return [found[0].length, make(inline(found[1], ctx, depth + 1))];
    }
  }
  return null;
}

function spoiler(nodes) {
  const hidden = el("span", { class: "hidden" }, nodes);
  const cover = el("button", { class: "spoiler", type: "button", "aria-label": "Spoiler, press to show" }, hidden);
  hidden.setAttribute("aria-hidden", "true");
  cover.addEventListener("click", () => cover.replaceWith(el("span", { class: "spoiler open" }, nodes)));
  return cover;
}

function link(url, nodes, ctx) {
  const jump = /^https?:\/\/[^/]+\/channels\/(?:@me|\d+)\/(\d+)(?:\/(\d+))?$/.exec(url);
  if (jump) {
    const label = nodes.length === 1 && nodes[0] === url ? [ctx.place(jump[1])] : nodes;
    return el("a", { href: "#", class: "jump", onclick: (event) => ctx.jump(event, jump[1], jump[2]) }, label);
  }
  return el("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow", title: url }, nodes);
}
