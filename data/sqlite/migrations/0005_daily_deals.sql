-- What each server plays on each day (days since 1970, UTC): the same cards and the same house for everybody in it.
CREATE TABLE daily_deals (
    guild INTEGER NOT NULL,
    day INTEGER NOT NULL,
    nonce BLOB NOT NULL,
    level TEXT NOT NULL,
    best INTEGER,
    PRIMARY KEY (guild, day)
) STRICT, WITHOUT ROWID;

-- Everybody's one try at it.
CREATE TABLE daily_tries (
    guild INTEGER NOT NULL,
    day INTEGER NOT NULL,
    user INTEGER NOT NULL,
    match_id TEXT NOT NULL REFERENCES matches (id),
    shared INTEGER NOT NULL,
    PRIMARY KEY (guild, day, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX daily_tries_of ON daily_tries (guild, user, day);
