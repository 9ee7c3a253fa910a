// While somebody presses, everything stays where it is: a click needs its button from going down to coming up.

const UP = 50; // milliseconds after letting go in which a finger's click still comes
const PRESSED = "button, a, label, input, [role=option]";

const waiting = new Map();
let down = false;
let timer = 0;

// Change what is drawn, now or once nobody presses; of changes of the same key the last is made.
export function whenLetGo(key, change) {
  if (!down) return change();
  waiting.delete(key); // so that it comes behind those that were asked for meanwhile
  waiting.set(key, change);
  return undefined;
}

function release() {
  clearTimeout(timer);
  down = false;
  const changes = [...waiting.values()];
  waiting.clear();
  for (const change of changes) change();
}

addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || !event.target.closest?.(PRESSED)) return;
  clearTimeout(timer);
  down = true;
}, true);
addEventListener("pointerup", () => {
  clearTimeout(timer);
  timer = setTimeout(release, UP);
}, true);
addEventListener("pointermove", (event) => {
  if (down && !event.buttons && event.pointerType === "mouse") release(); // it was let go where nobody heard of it
}, true);
addEventListener("pointercancel", release, true);
addEventListener("blur", release);
addEventListener("click", release); // after whoever answers to it
