// The page: whose windows it shows, how the bot is, light and dark.

import { Client } from "./client.js";
import { setOffset } from "./clock.js";
import * as directory from "./directory.js";
import { el } from "./dom.js";
import { Drawer } from "./drawer.js";
import { Pane } from "./pane.js";
import { listen } from "./wire.js";

const query = new URLSearchParams(location.search);
const only = query.get("as");
const wanted = only ? [only] : (query.get("people") || "Ana,Ben").split(",").map((one) => one.trim()).filter(Boolean);
const panes = document.getElementById("panes");
const shown = [];

async function main() {
  setTheme(localStorage.getItem("theme") || "auto");
  document.getElementById("theme").addEventListener("click", nextTheme);
  await directory.refresh();
  for (const name of wanted) await open(name);
  await directory.refresh();
  document.title = only ? `${only} · Playground` : "Playground";
  document.body.classList.toggle("single", wanted.length === 1);
  paintPeople();
  show(0);
  const drawer = new Drawer(shown, addPerson);
  listen("/events", (frame) => hear(frame, drawer), (live) => status({ live }));
}

async function open(name) {
  const client = new Client(await directory.person(name));
  const pane = new Pane(client);
  shown.push(pane);
  panes.append(pane.node);
  client.open();
}

async function addPerson(name) {
  const all = shown.map((pane) => pane.client.me.username);
  if (!name || all.includes(name)) return;
  if (only) {
    window.open(`?as=${encodeURIComponent(name)}`, "_blank", "noopener");
    return;
  }
  await open(name);
  await directory.refresh();
  history.replaceState(null, "", `?people=${[...all, name].map(encodeURIComponent).join(",")}`);
  document.body.classList.remove("single");
  paintPeople();
  show(shown.length - 1);
}

// In a narrow window one person is shown at a time, and these are the tabs.
function paintPeople() {
  const tabs = shown.map((pane, index) => el("button", { type: "button", class: "plain", onclick: () => show(index) }, pane.name));
  document.getElementById("people").replaceChildren(...tabs);
}

function show(index) {
  shown.forEach((pane, at) => pane.node.classList.toggle("front", at === index));
  [...document.getElementById("people").children].forEach((tab, at) => tab.setAttribute("aria-pressed", String(at === index)));
}

// -- how the bot is

const state = { connected: false, process: null, was: false };

function hear(frame, drawer) {
  if (frame.type === "snapshot") {
    state.connected = frame.sessions.some((one) => one.connected);
    state.process = frame.process;
    setOffset(frame.offset);
  } else if (frame.type === "session") {
    state.connected = ["ready", "resumed"].includes(frame.what) ? true : frame.what === "closed" ? false : state.connected;
  } else if (frame.type === "process") {
    state.process = frame.process;
  } else if (frame.type === "clock") {
    setOffset(frame.offset);
  }
  status({ live: true });
  drawer.hear(frame, state);
}

function status({ live }) {
  const bot = directory.bots[0];
  const name = bot ? bot.name : "The bot";
  const words = !live ? "Connecting …" : state.connected ? `${name} is connected` : `${name} is not connected`;
  const node = document.getElementById("status");
  node.dataset.state = live && state.connected ? "up" : "down";
  node.querySelector(".words").textContent = words;
  const banner = document.getElementById("banner");
  const text = !live
    ? "The playground does not answer. Is it still running?"
    : state.process && state.process.state !== "running"
      ? state.process.note
      : "";
  banner.hidden = !text || (!live && !state.was);
  if (banner.textContent !== text) banner.textContent = text;
  state.was = state.was || live;
}

// -- light and dark

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("theme", theme);
  document.getElementById("theme").textContent = `Theme: ${theme}`;
}

function nextTheme() {
  const all = ["auto", "light", "dark"];
  setTheme(all[(all.indexOf(document.documentElement.dataset.theme) + 1) % all.length]);
}

main();
