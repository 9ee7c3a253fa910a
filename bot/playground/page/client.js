// One person's client: what they see, kept up to date by their own feed.

import { know, refresh } from "./directory.js";
import { get, listen, post } from "./wire.js";

const EPHEMERAL = 1 << 6;

export class Client {
  constructor(me) {
    this.me = me;
    this.channels = new Map();
    this.messages = new Map();
    this.pings = new Map();
    this.live = false;
    this.gone = null; // ephemerals from before the page was loaded: a client that is started anew has lost them
    this.hear = () => {};
    this.read = JSON.parse(localStorage.getItem(`read ${me.id}`) || "{}");
  }

  open() {
    const path = `/people/${this.me.id}/events`;
    listen(path, (frame) => this.take(frame), (live) => {
      this.live = live;
      this.hear({ type: "live", live });
    });
  }

  take(frame) {
    if (this.gone?.has(frame.message?.id)) return;
    switch (frame.type) {
      case "snapshot":
        this.channels = new Map(frame.channels.map((one) => [one.id, one]));
        this.messages = new Map();
        for (const [id, list] of Object.entries(frame.messages)) {
          this.messages.set(id, new Map(list.map((one) => [one.id, one])));
        }
        this.lose();
        break;
      case "message_created":
      case "message_edited":
        this.within(frame.message.channel_id).set(frame.message.id, frame.message);
        break;
      case "message_deleted":
        this.within(frame.channel).delete(frame.message);
        break;
      case "notified":
        this.pings.set(frame.channel, (this.pings.get(frame.channel) || 0) + 1);
        break;
      case "channel_created":
      case "channel_updated":
        this.channels.set(frame.channel.id, frame.channel);
        break;
      case "channel_deleted":
        this.channels.delete(frame.channel.id);
        break;
      case "member_joined":
      case "member_left":
        refresh();
        break;
      case "member_updated":
        know(frame.member.user, frame.member);
        break;
    }
    this.hear(frame);
  }

  lose() {
    const private_ = (one) => one.flags & EPHEMERAL;
    const all = [...this.messages.values()].flatMap((channel) => [...channel.values()]);
    this.gone ??= new Set(all.filter(private_).map((one) => one.id));
    for (const channel of this.messages.values()) for (const id of this.gone) channel.delete(id);
  }

  within(channelId) {
    if (!this.messages.has(channelId)) this.messages.set(channelId, new Map());
    return this.messages.get(channelId);
  }

  // -- read and unread

  see(channelId) {
    const newest = [...this.within(channelId).keys()].reduce(later, "0");
    this.pings.delete(channelId);
    if (this.read[channelId] !== newest) {
      this.read[channelId] = newest;
      localStorage.setItem(`read ${this.me.id}`, JSON.stringify(this.read));
    }
  }

  unread(channelId) {
    const seen = this.read[channelId] || "0";
    return [...this.within(channelId).values()].some((one) => one.author.id !== this.me.id && later(seen, one.id) !== seen);
  }

  // -- acting; every action answers once the bot has acknowledged it, or failed to

  act(what, body) {
    return post(`/people/${this.me.id}/${what}`, { ...body, wait: true });
  }

  commands(channelId) {
    return get(`/people/${this.me.id}/channels/${channelId}/commands`);
  }
}

// The later one of two ids, which are numbers too large for JavaScript's own.
function later(one, other) {
  return one.length === other.length ? (one > other ? one : other) : one.length > other.length ? one : other;
}
