// Who and what there is, by id: shared by every window on the page, and never any message.

import { nameOf } from "./dom.js";
import { get, post } from "./wire.js";

const users = new Map();
export let servers = [];
export let bots = [];
export let address = ""; // of the stand-in, as its links have it; the page may have been opened by another name

export async function refresh() {
  const world = await get("/world");
  servers = world.servers;
  bots = world.bots;
  address = world.address;
  for (const one of world.people) users.set(one.id, one);
  for (const server of servers) for (const member of server.members) know(member.user, member);
  return world;
}

export function know(user, member) {
  users.set(user.id, { ...users.get(user.id), ...user, nick: member?.nick });
}

export function name(id) {
  const found = users.get(id);
  return found ? nameOf(found, found) : null;
}

export const user = (id) => users.get(id);

// Everybody in a server, people first.
export function members(guildId) {
  const server = servers.find((one) => one.id === guildId);
  const ids = server ? server.members.map((one) => one.user.id) : [...users.keys()];
  return ids.map((id) => users.get(id)).sort((a, b) => Number(a.bot) - Number(b.bot));
}

export const roles = (guildId) => servers.find((one) => one.id === guildId)?.roles || [];

// Somebody by name, who joins the first server if they are new.
export async function person(wanted) {
  const joined = servers.length ? [servers[0].id] : [];
  const found = await post("/people", { name: wanted, servers: joined });
  know(found);
  return found;
}
