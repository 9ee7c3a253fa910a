// Talking with the stand-in: calls that answer or refuse, and feeds that come back by themselves.

export class Refused extends Error {}

export async function call(method, path, body) {
  const answer = await fetch(`/play${path}`, {
    method,
    headers: { "Content-Type": "application/json", "X-Page": "1" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const told = await answer.json();
  if (told && told.error) throw new Refused(told.error);
  return told;
}

export const get = (path) => call("GET", path);
export const post = (path, body) => call("POST", path, body);

// A websocket that is opened again, less and less eagerly, for as long as the page is there.
export function listen(path, hear, state = () => {}) {
  let tries = 0;
  const open = () => {
    const socket = new WebSocket(`ws://${location.host}/play${path}`);
    socket.onopen = () => {
      tries = 0;
      state(true);
    };
    socket.onmessage = (event) => hear(JSON.parse(event.data));
    socket.onclose = () => {
      state(false);
      tries += 1;
      setTimeout(open, Math.min(5000, 250 * 2 ** tries));
    };
  };
  open();
}
