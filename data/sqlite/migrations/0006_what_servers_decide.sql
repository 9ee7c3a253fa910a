-- Settings count their changes, so that of two moderators at once neither undoes what the other did.
ALTER TABLE guilds ADD COLUMN options TEXT NOT NULL DEFAULT '';
ALTER TABLE guilds ADD COLUMN log_channel INTEGER NOT NULL DEFAULT 0;
ALTER TABLE guilds ADD COLUMN version INTEGER NOT NULL DEFAULT 0;

-- What a moderator said who stopped or decided a match, or took it out of the ratings.
ALTER TABLE matches ADD COLUMN reason TEXT NOT NULL DEFAULT '';

-- What moderators did: who, what, before, after. Rows are only ever added.
CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild INTEGER NOT NULL,
    at INTEGER NOT NULL,
    user INTEGER NOT NULL,
    what TEXT NOT NULL,
    was TEXT NOT NULL,
    became TEXT NOT NULL,
    version INTEGER NOT NULL,
    match_id TEXT NOT NULL,
    about INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_guild ON audit (guild, at);
CREATE INDEX audit_changes ON audit (guild, version) WHERE version > 0;
-- So that somebody who has their data erased is found.
CREATE INDEX audit_user ON audit (user);
CREATE INDEX audit_about ON audit (about) WHERE about <> 0;

-- So that the data of a server can be found when the bot is removed from it.
CREATE INDEX matches_guild ON matches (guild);
CREATE INDEX lobbies_guild ON lobbies (guild);
CREATE INDEX daily_tries_match ON daily_tries (match_id);
CREATE INDEX surfaces_gone ON surfaces (owner) WHERE state = 'gone';

CREATE TABLE bars (
    guild INTEGER NOT NULL,
    user INTEGER NOT NULL,
    until INTEGER NOT NULL,
    reason TEXT NOT NULL,
    by_user INTEGER NOT NULL,
    PRIMARY KEY (guild, user)
) STRICT, WITHOUT ROWID;
