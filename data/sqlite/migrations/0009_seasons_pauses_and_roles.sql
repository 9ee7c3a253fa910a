-- Of somebody who had their data erased a bar is the last that is kept: bars go when they have run out.
CREATE INDEX bars_until ON bars (until);
INSERT INTO deadlines (owner, kind, due, prompt) SELECT 'bars', 7, until, 0 FROM bars ORDER BY until LIMIT 1;

-- A server's seasons. At most one goes on; the tables of those that are over never change.
ALTER TABLE guilds ADD COLUMN seasons TEXT NOT NULL DEFAULT 'off';
ALTER TABLE guilds ADD COLUMN champions INTEGER NOT NULL DEFAULT 0;

CREATE TABLE seasons (
    guild INTEGER NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    began INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    over INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (guild, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX seasons_going ON seasons (guild) WHERE over = 0;

-- Ratings of the season that goes on, beside those of all time.
CREATE TABLE season_ratings (
    guild INTEGER NOT NULL,
    pool TEXT NOT NULL,
    user INTEGER NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    played INTEGER NOT NULL,
    won INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    last INTEGER,
    PRIMARY KEY (guild, pool, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE season_tables (
    guild INTEGER NOT NULL,
    number INTEGER NOT NULL,
    pool TEXT NOT NULL,
    size INTEGER NOT NULL,
    voided INTEGER NOT NULL,
    PRIMARY KEY (guild, number, pool)
) STRICT, WITHOUT ROWID;

CREATE TABLE season_places (
    guild INTEGER NOT NULL,
    number INTEGER NOT NULL,
    pool TEXT NOT NULL,
    line INTEGER NOT NULL,
    place INTEGER NOT NULL,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    shown INTEGER NOT NULL,
    played INTEGER NOT NULL,
    won INTEGER NOT NULL,
    provisional INTEGER NOT NULL,
    PRIMARY KEY (guild, number, pool, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX season_places_person ON season_places (user, guild, number, pool);

-- In which season a match counted, and how its people stood in that table before it.
ALTER TABLE rating_history ADD COLUMN season INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rating_history ADD COLUMN season_mu REAL NOT NULL DEFAULT 0;
ALTER TABLE rating_history ADD COLUMN season_sigma REAL NOT NULL DEFAULT 0;
CREATE INDEX rating_history_lately ON rating_history (guild, pool, at);

-- The part of somebody's day, in their own time zone, in which what they are sent makes no sound: minutes of a day.
ALTER TABLE players ADD COLUMN zone TEXT NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN quiet_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN quiet_to INTEGER NOT NULL DEFAULT 0;

-- The few matches that were taken out of the ratings are looked up at once, and not match by match.
CREATE INDEX matches_void ON matches (guild) WHERE void = 1;
