// The stand-in's clock, which can be moved, and the stamps that tick with it.

let offset = 0;

export const now = () => Date.now() / 1000 + offset;

export function setOffset(seconds) {
  offset = seconds;
  tick();
}

const FORMATS = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};
const UNITS = [
  ["year", 31536000],
  ["month", 2592000],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export function absolute(seconds, style = "f") {
  return new Intl.DateTimeFormat("en-GB", FORMATS[style] || FORMATS.f).format(new Date(seconds * 1000));
}

export function ago(seconds) {
  const away = seconds - now();
  const [unit, size] = UNITS.find(([, one]) => Math.abs(away) >= one) || UNITS[UNITS.length - 1];
  const count = Math.round(away / size);
  return count === 0 ? "now" : relative.format(count, unit);
}

// A `<time>`; those of style R are told anew every second.
export function stamp(seconds, style) {
  const node = document.createElement("time");
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) {
    node.textContent = "Invalid date";
    return node;
  }
  node.dateTime = date.toISOString();
  node.title = absolute(seconds, "F");
  node.className = "stamp";
  if (style === "R") {
    node.dataset.ticks = String(seconds);
    node.textContent = ago(seconds);
  } else {
    node.textContent = absolute(seconds, style);
  }
  return node;
}

// What a promise to answer becomes after its time.
export function late() {
  const node = document.createElement("p");
  node.className = "failed";
  node.textContent = "The application did not respond";
  return node;
}

function tick() {
  for (const node of document.querySelectorAll("time[data-ticks]")) {
    const text = ago(Number(node.dataset.ticks));
    if (node.textContent !== text) node.textContent = text;
  }
  for (const node of document.querySelectorAll("[data-until]")) {
    if (now() > Number(node.dataset.until)) node.replaceWith(late());
  }
}

setInterval(tick, 1000);
