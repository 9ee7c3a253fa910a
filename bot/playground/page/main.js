// The page: whose windows it shows, how the bot is, light and dark.

import { setOffset } from "./clock.js";
import * as directory from "./directory.js";
import { Drawer } from "./drawer.js";
import { Windows } from "./windows.js";
import { listen } from "./wire.js";

const query = new URLSearchParams(location.search);
const only = query.get("as");
const asked = (query.get("people") || "Ana,Ben").split(",").map((one) => one.trim());
const wanted = only ? [only] : [...new Set(asked.filter(Boolean))];

async function main() {
  setTheme(localStorage.getItem("theme") || "auto");
  document.getElementById("theme").addEventListener("click", nextTheme);
  await directory.refresh();
  const windows = new Windows(only);
  windows.arrived = begin;
  for (const name of wanted) await windows.open(name);
  await directory.refresh();
  document.title = only ? `${only} · GOPS` : "GOPS";
  document.querySelector(".about").hidden = Boolean(only);
  const drawer = new Drawer(windows);
  listen("/events", (frame) => hear(frame, drawer), (live) => status({ live }));
}

// -- how the bot is

const state = { connected: false, processes: [], was: false, home: null };

function hear(frame, drawer) {
  if (frame.type === "snapshot") {
    state.connected = frame.sessions.some((one) => one.connected);
    state.processes = frame.processes;
    state.home = frame.home;
    setOffset(frame.offset);
  } else if (frame.type === "session") {
    state.connected = ["ready", "resumed"].includes(frame.what) ? true : frame.what === "closed" ? false : state.connected;
  } else if (frame.type === "processes") {
    state.processes = frame.processes;
  } else if (frame.type === "clock") {
    setOffset(frame.offset);
  }
  if (frame.type === "commands") for (const pane of drawer.windows.panes) pane.composer.load();
  drawer.windows.panes.forEach(begin);
  status({ live: true });
  drawer.hear(frame, state);
}

// A window with nothing in it begins with the bot's home card.
function begin(pane) {
  if (state.connected && state.home) pane.begin(state.home);
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
    : state.processes.length && state.processes.every((one) => one.state !== "running")
      ? state.processes[0].note
      : "";
  banner.hidden = !text || (!live && !state.was);
  if (banner.textContent !== text) banner.textContent = text;
  state.was = state.was || live;
}

// -- light and dark

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("theme", theme);
  document.querySelector("#theme .value").textContent = theme;
}

function nextTheme() {
  const all = ["auto", "light", "dark"];
  setTheme(all[(all.indexOf(document.documentElement.dataset.theme) + 1) % all.length]);
}

main();
