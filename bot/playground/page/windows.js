// Whose windows are shown: as many side by side as there is room for, the others one press away.

import * as directory from "./directory.js";
import { Client } from "./client.js";
import { el, waiting } from "./dom.js";
import { Pane } from "./pane.js";
import { whenLetGo } from "./press.js";

const ROOM = 370; // pixels that a window needs
const NAMES = ["Ana", "Ben", "Cem", "Dee", "Eli", "Fay", "Gus", "Hal"];

export class Windows {
  // `only` is one person alone, who has the whole page.
  constructor(only) {
    this.only = only;
    this.arrived = () => {}; // told of each window that has something to show
    this.panes = [];
    this.wanted = []; // panes that want to be seen, the last chosen first
    this.stage = document.getElementById("panes");
    this.tabs = document.getElementById("people");
    this.tabs.hidden = Boolean(only);
    new ResizeObserver(() => this.arrange()).observe(this.stage);
    window.addEventListener("popstate", (event) => this.back(event.state || {}));
  }

  async open(name) {
    const client = new Client(await directory.person(name));
    const pane = new Pane(client, () => this.paint(), () => history.pushState(this.places, ""));
    pane.arrived = () => {
      history.replaceState(this.places, "");
      this.arrived(pane);
    };
    this.panes.push(pane);
    this.wanted.push(pane);
    this.stage.append(pane.node);
    client.open();
    this.arrange();
    return pane;
  }

  // Somebody new, or the next of the usual names; shown at once.
  async add(name = NAMES.find((one) => !this.names.includes(one))) {
    if (!name) return;
    if (this.only) {
      window.open(`?as=${encodeURIComponent(name)}`, "_blank", "noopener");
      return;
    }
    const known = this.panes.find((pane) => pane.client.me.username === name);
    const pane = known || (await this.open(name));
    history.replaceState(this.places, "", `?people=${this.names.map(encodeURIComponent).join(",")}`);
    this.show(pane);
  }

  get names() {
    return this.panes.map((pane) => pane.client.me.username);
  }

  // In which channel everybody is: an entry of the browser's history.
  get places() {
    return Object.fromEntries(this.panes.map((pane) => [pane.client.me.id, pane.here]));
  }

  back(places) {
    for (const pane of this.panes) {
      const place = places[pane.client.me.id];
      if (place && pane.client.channels.has(place)) pane.go(place);
    }
  }

  get shown() {
    const fitting = Math.max(1, Math.floor(this.stage.clientWidth / ROOM));
    return this.wanted.slice(0, fitting);
  }

  // Pressing a tab shows its window, or puts it away while others are there.
  toggle(pane) {
    const shown = this.shown;
    if (!shown.includes(pane)) this.show(pane);
    else if (shown.length > 1) {
      this.wanted = shown.filter((one) => one !== pane);
      this.arrange();
    }
  }

  show(pane) {
    this.wanted = [pane, ...this.shown.filter((one) => one !== pane)];
    this.arrange();
  }

  arrange() {
    const shown = this.shown;
    for (const pane of this.panes) pane.appear(shown.includes(pane));
    this.paint();
  }

  paint() {
    whenLetGo("tabs", () => this.paintTabs());
  }

  paintTabs() {
    const at = [...this.tabs.children].indexOf(document.activeElement);
    this.tabs.replaceChildren(
      ...this.panes.map((pane) => this.tab(pane)),
      el("button", { type: "button", class: "plain add", "aria-label": "Add a person", title: "Add a person", onclick: () => this.add() }, "+"),
    );
    if (at >= 0) this.tabs.children[at]?.focus();
  }

  tab(pane) {
    const { pings, unread } = pane.waiting();
    const { told, badge } = waiting(pings, unread);
    return el(
      "button",
      { type: "button", class: `plain${unread ? " unread" : ""}`, "aria-label": `${pane.name}${told}`, "aria-pressed": String(pane.visible), onclick: () => this.toggle(pane) },
      el("span", { class: "name" }, pane.name),
      badge,
    );
  }
}
