// What a real Discord does not offer: turning the bot off, moving the clock, breaking things, reading the book of calls.

import { ago, now } from "./clock.js";
import * as directory from "./directory.js";
import { el } from "./dom.js";
import { call, get, post } from "./wire.js";

const GRACE = 4; // a deadline is kept a little after the time that is shown
const SHOWN = 60;
const FOREVER = 1000000;

export class Drawer {
  constructor(windows) {
    this.windows = windows;
    this.node = document.getElementById("drawer");
    this.toggle = document.getElementById("control");
    this.toggle.addEventListener("click", () => this.open(this.node.hidden));
    this.node.addEventListener("keydown", (event) => event.key === "Escape" && this.open(false));
    this.processes = el("div", {});
    this.notes = [];
    this.next = el("p", {});
    this.people = el("div", {});
    this.faults = el("p", {});
    this.totals = el("p", {});
    this.calls = el("tbody", {});
    this.build();
    setInterval(() => this.refresh(), 1000);
  }

  open(shown) {
    this.node.hidden = !shown;
    this.toggle.setAttribute("aria-expanded", String(shown));
    if (shown) {
      this.refresh();
      this.paintPeople();
      this.node.querySelector("button").focus();
    } else {
      this.toggle.focus();
    }
  }

  build() {
    const name = el("input", { type: "text", "aria-label": "Name of the new person", placeholder: "Name", maxlength: "32" });
    this.node.append(
      el("h2", {}, "The bot"),
      this.processes,
      el("h2", {}, "The clock"),
      this.next,
      row(
        button("To the next deadline", "primary", () => this.toDeadline()),
        button("+1 minute", "secondary", () => forward(60)),
        button("+1 hour", "secondary", () => forward(3600)),
        button("+1 day", "secondary", () => forward(86400)),
      ),
      el("h2", {}, "People"),
      this.people,
      el("form", { onsubmit: (event) => this.add(event, name) }, name, el("button", { type: "submit", class: "button secondary" }, "Add")),
      el("h2", {}, "Discord"),
      this.faults,
      row(
        button("Slow", "secondary", () => this.fault({ kind: "slow", seconds: 1, times: FOREVER }), "Every answer takes a second longer"),
        button("Next 3 calls fail", "secondary", () => this.fault({ kind: "answer", status: 502, times: 3 })),
        button("Fail after the effect", "secondary", () => this.fault({ kind: "answer", status: 502, when: "after" })),
        button("Rate limit", "secondary", () => this.fault({ kind: "limit", seconds: 2 })),
        button("Break the next call", "secondary", () => this.fault({ kind: "reset" })),
        button("Drop the gateway", "secondary", () => post("/gateway", { do: "close" })),
        button("All is well", "secondary", () => this.well()),
      ),
      el("h2", {}, "Calls of the bot"),
      this.totals,
      row(button("Forget them", "secondary", () => call("DELETE", "/calls"))),
      el(
        "table",
        { class: "calls" },
        el("thead", {}, el("tr", {}, ["Call", "Status", "Counts"].map((one) => el("th", { scope: "col" }, one)))),
        this.calls,
      ),
    );
  }

  hear(frame, { processes }) {
    const count = Math.max(processes.length, 1);
    if (this.notes.length !== count) this.buildProcesses(count, processes.length);
    for (const [index, note] of this.notes.entries()) {
      const told = processes[index] ? processes[index].note : "Nobody here runs the bot; it can come and go by itself.";
      note.textContent = count > 1 ? `Process ${index + 1}: ${told}` : told;
    }
  }

  // One row of keys for each process of the bot; they do nothing if nobody here runs it.
  buildProcesses(count, running) {
    this.notes = Array.from({ length: count }, () => el("p", { role: "status" }));
    const rows = this.notes.map((note, index) => {
      const keys = row(
        button("Kill", "danger", () => this.process("kill", index), "As a power cut would; it starts again by itself"),
        button("Stop", "secondary", () => this.process("stop", index), "Ask it to finish, and leave it off"),
        button("Start", "secondary", () => this.process("start", index)),
      );
      if (!running) for (const one of keys.children) one.disabled = true;
      return [note, keys];
    });
    this.processes.replaceChildren(...rows.flat());
  }

  async process(deed, index) {
    const note = this.notes[index];
    note.textContent = { kill: "Killing the bot …", stop: "Stopping the bot …", start: "Starting the bot …" }[deed];
    try {
      await post("/processes", { do: deed, number: index + 1 });
    } catch (error) {
      note.textContent = error.message;
    }
  }

  // -- the clock: the next time that anybody on this page has been told

  deadline() {
    let next = Infinity;
    for (const pane of this.windows.panes) {
      for (const channel of pane.client.messages.values()) {
        for (const message of channel.values()) {
          for (const found of JSON.stringify(message).matchAll(/<t:(\d+)(?::[tTdDfFR])?>/g)) {
            const at = Number(found[1]);
            if (at > now() && at < next) next = at;
          }
        }
      }
    }
    return next;
  }

  async toDeadline() {
    const next = this.deadline();
    if (next !== Infinity) await forward(next - now() + GRACE);
    this.paintClock();
  }

  paintClock() {
    const next = this.deadline();
    this.next.textContent = next === Infinity ? "No deadline is shown anywhere." : `The next deadline is ${ago(next)}.`;
  }

  // -- people

  async add(event, name) {
    event.preventDefault();
    await this.windows.add(name.value.trim() || undefined);
    name.value = "";
    this.paintPeople();
  }

  async paintPeople() {
    const world = await directory.refresh();
    this.people.replaceChildren(
      ...this.windows.panes.map((pane) => {
        const me = world.people.find((one) => one.id === pane.client.me.id);
        const box = el("input", {
          type: "checkbox", checked: me.dms_open, onchange: (event) => post(`/people/${me.id}/dms`, { open: event.target.checked }),
        });
        const alone = el("a", { href: `?as=${encodeURIComponent(me.username)}`, target: "_blank", rel: "noopener", title: "In a window of their own", "aria-label": `${pane.name} alone` }, "alone");
        return el("div", { class: "person" }, el("label", {}, box, `${pane.name} takes direct messages`), this.windows.only ? null : alone);
      }),
    );
  }

  // -- Discord

  async fault(how) {
    await post("/faults", { route: "*", ...how });
    this.refresh();
  }

  async well() {
    await call("DELETE", "/faults");
    this.refresh();
  }

  async refresh() {
    if (this.node.hidden) return;
    this.paintClock();
    const [faults, totals, log] = await Promise.all([get("/faults"), get("/calls"), get(`/calls/log?limit=${SHOWN}`)]);
    this.faults.textContent = faults.length ? `Waiting: ${faults.map(told).join(", ")}.` : "Everything works.";
    this.totals.textContent = `${totals.counted} counted, ${totals.free} free, ${totals.invalid} refused with 401, 403 or 429.`;
    this.calls.replaceChildren(
      ...log.reverse().map((one) =>
        el(
          "tr",
          { class: one.status >= 400 ? "bad" : "" },
          el("td", { title: one.path }, `${one.method} ${one.route.replace(/\{[^}]+\}/g, "…")}`),
          el("td", {}, String(one.status || "–")),
          el("td", {}, one.counted ? "counted" : "free"),
        ),
      ),
    );
  }
}

function told(fault) {
  const what = { slow: "slow answers", answer: `answer ${fault.status}`, limit: "a rate limit", reset: "a broken call" }[fault.kind];
  return fault.times > 1 && fault.times < FOREVER / 2 ? `${fault.times} times ${what}` : what;
}

const forward = (seconds) => call("PUT", "/clock", { forward: seconds });

function row(...children) {
  return el("div", { class: "row" }, children);
}

function button(text, style, run, hint) {
  return el("button", { type: "button", class: `button ${style}`, title: hint, onclick: run }, text);
}
