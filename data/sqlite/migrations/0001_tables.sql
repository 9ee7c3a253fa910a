-- Everything the referee keeps. Times are whole microseconds since 1970 (UTC); ids of Discord are 64-bit numbers.
-- Columns are what is asked for or compared; what is only carried along is JSON.

CREATE TABLE guilds (
    guild INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    clock INTEGER NOT NULL,
    rated INTEGER NOT NULL,
    console TEXT NOT NULL,
    boards INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    channels TEXT NOT NULL,
    roles TEXT NOT NULL,
    dms INTEGER NOT NULL,
    result_lines INTEGER NOT NULL,
    cards TEXT NOT NULL
) STRICT;

CREATE TABLE players (
    user INTEGER PRIMARY KEY,
    console TEXT NOT NULL,
    bids INTEGER NOT NULL,
    warnings INTEGER NOT NULL,
    results INTEGER NOT NULL,
    cards TEXT NOT NULL,
    two_step INTEGER NOT NULL,
    challenges INTEGER NOT NULL,
    dm_channel INTEGER NOT NULL,
    dm_closed_until INTEGER,
    dm_told INTEGER NOT NULL
) STRICT;

CREATE TABLE members (
    guild INTEGER NOT NULL,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    here INTEGER NOT NULL,
    PRIMARY KEY (guild, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE blocks (
    by_user INTEGER NOT NULL,
    user INTEGER NOT NULL,
    PRIMARY KEY (by_user, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE lobbies (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER,
    host INTEGER NOT NULL,
    game TEXT NOT NULL,
    options TEXT NOT NULL,
    seats INTEGER NOT NULL,
    series TEXT NOT NULL,
    clock INTEGER NOT NULL,
    rated INTEGER NOT NULL,
    nonce BLOB NOT NULL,
    state INTEGER NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    version INTEGER NOT NULL
) STRICT;
CREATE INDEX lobbies_open ON lobbies (guild, created) WHERE state = 1;
CREATE INDEX lobbies_host ON lobbies (host, expires);

CREATE TABLE lobby_people (
    lobby_id TEXT NOT NULL REFERENCES lobbies (id),
    place INTEGER NOT NULL,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    answer INTEGER NOT NULL,
    PRIMARY KEY (lobby_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    game TEXT NOT NULL,
    options TEXT NOT NULL,
    seats INTEGER NOT NULL,
    series TEXT NOT NULL,
    clock INTEGER NOT NULL,
    rated INTEGER NOT NULL,
    nonce BLOB NOT NULL,
    version INTEGER NOT NULL,
    prompt INTEGER NOT NULL,
    opened INTEGER NOT NULL,
    deadline INTEGER,
    started INTEGER NOT NULL,
    live INTEGER NOT NULL,
    leavers TEXT NOT NULL,
    ending TEXT,
    draw TEXT,
    away INTEGER NOT NULL,
    ended INTEGER,
    termination INTEGER,
    winner INTEGER,
    placings TEXT,
    totals TEXT NOT NULL,
    changes TEXT NOT NULL,
    unrated TEXT NOT NULL,
    void INTEGER NOT NULL
) STRICT;
CREATE INDEX matches_live ON matches (channel) WHERE live = 1;

-- started, live and ended are the match's own, repeated here so that a person's matches are found by one index.
CREATE TABLE seats (
    match_id TEXT NOT NULL REFERENCES matches (id),
    seat INTEGER NOT NULL,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    misses INTEGER NOT NULL,
    draw_from INTEGER NOT NULL,
    seen INTEGER,
    started INTEGER NOT NULL,
    live INTEGER NOT NULL,
    ended INTEGER,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_person ON seats (user, started);
CREATE INDEX seats_live ON seats (user, started) WHERE live = 1;
CREATE INDEX seats_finished ON seats (user, ended) WHERE ended IS NOT NULL;

CREATE TABLE deals (
    match_id TEXT NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL,
    zones TEXT NOT NULL,
    PRIMARY KEY (match_id, number)
) STRICT, WITHOUT ROWID;

-- The primary key is what makes it impossible to reveal a round twice.
CREATE TABLE decisions (
    match_id TEXT NOT NULL,
    deal INTEGER NOT NULL,
    place INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    choice TEXT NOT NULL,
    forced INTEGER NOT NULL,
    round INTEGER NOT NULL,
    sub INTEGER NOT NULL,
    salt BLOB NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (match_id, deal, place),
    FOREIGN KEY (match_id, deal) REFERENCES deals (match_id, number)
) STRICT, WITHOUT ROWID;

-- The only place where a choice lies before its reveal.
CREATE TABLE seals (
    match_id TEXT NOT NULL REFERENCES matches (id),
    seat INTEGER NOT NULL,
    prompt INTEGER NOT NULL,
    choice TEXT NOT NULL,
    salt BLOB NOT NULL,
    digest BLOB NOT NULL,
    at INTEGER NOT NULL,
    forced INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;

-- owner is a match or a lobby, here and in surfaces.
CREATE TABLE deadlines (
    owner TEXT NOT NULL,
    kind INTEGER NOT NULL,
    due INTEGER NOT NULL,
    prompt INTEGER NOT NULL,
    PRIMARY KEY (owner, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX deadlines_due ON deadlines (due);

-- wanted is the version of the match or lobby, repeated here so that what is behind is found by one index.
CREATE TABLE surfaces (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    kind INTEGER NOT NULL,
    user INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    shown INTEGER NOT NULL,
    wanted INTEGER NOT NULL,
    posted INTEGER NOT NULL,
    token TEXT NOT NULL,
    token_until INTEGER,
    token_app INTEGER NOT NULL,
    state TEXT NOT NULL
) STRICT;
CREATE INDEX surfaces_owner ON surfaces (owner) WHERE state <> 'gone';
CREATE INDEX surfaces_behind ON surfaces (id) WHERE state = 'live' AND shown < wanted;

CREATE TABLE ratings (
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
CREATE INDEX ratings_person ON ratings (guild, user);

CREATE TABLE rating_history (
    match_id TEXT NOT NULL,
    user INTEGER NOT NULL,
    guild INTEGER NOT NULL,
    pool TEXT NOT NULL,
    seat INTEGER NOT NULL,
    place INTEGER NOT NULL,
    mu_before REAL NOT NULL,
    sigma_before REAL NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (match_id, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX rating_history_person ON rating_history (guild, pool, user, at);

CREATE TABLE heartbeat (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE notes (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
