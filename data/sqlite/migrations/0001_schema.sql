-- The whole schema. Times are microseconds since 1970 (UTC); Discord ids are 64-bit integers.
-- A value that no query compares is stored as JSON.

-- Running processes, each with its last sign of life by the clock of the server. A SQLite file has none.
CREATE TABLE processes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Name of its connections to the server.
    name TEXT NOT NULL,
    -- Where other processes reach it; empty if they cannot.
    address TEXT NOT NULL,
    -- Number of the newest migration that it knows.
    version INTEGER NOT NULL,
    beat INTEGER NOT NULL,
    -- Calls that Discord counts: how many it may make in a second, and how many it wanted to make in the last one.
    calls INTEGER NOT NULL DEFAULT 0,
    wanted INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The share of each process. Matches, servers and what belongs to them are in one of 64 partitions by the CRC-32 of a
-- code or id. On SQLite the one process, 0, owns all of them.
CREATE TABLE partitions (
    partition INTEGER PRIMARY KEY,
    owner INTEGER NOT NULL,
    -- Incremented by each new owner, so that an earlier one cannot write any more.
    epoch INTEGER NOT NULL,
    -- Last heartbeat of a former owner, until the time since then is given back.
    away_since INTEGER
) STRICT;
INSERT INTO partitions (partition, owner, epoch)
    WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 63) SELECT n, 0, 0 FROM numbers;

-- Time in which nobody could play, one row a partition. Giving time back writes these rows only. What goes by it is
-- stored less the sums here, and is read with them: deadlines with moves = 1, version, deadline and away of live matches
-- with a clock, version and expires of open lobbies.
CREATE TABLE time_away (
    partition INTEGER PRIMARY KEY,
    -- Microseconds given back so far.
    given INTEGER NOT NULL,
    -- Seconds of it of which boards tell.
    told INTEGER NOT NULL,
    -- How often time was given back.
    times INTEGER NOT NULL,
    -- Surfaces that were noted since then show old times, and so do those whose deadline is too early by much; they are
    -- not marked as behind yet. NULL if there are none.
    unmarked INTEGER
) STRICT;

CREATE TABLE guilds (
    guild INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    -- 0 is the usual clock of the bot.
    clock INTEGER NOT NULL,
    rated INTEGER NOT NULL,
    -- Where players bid: 'dm', 'channel' (by private buttons) or 'board'; '' is the usual place of the bot.
    place TEXT NOT NULL,
    boards INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    channels TEXT NOT NULL,
    roles TEXT NOT NULL,
    result_lines INTEGER NOT NULL,
    cards TEXT NOT NULL,
    options TEXT NOT NULL,
    log_channel INTEGER NOT NULL,
    -- Incremented by each change, so that two moderators cannot overwrite each other's change.
    version INTEGER NOT NULL,
    seasons TEXT NOT NULL,
    champions INTEGER NOT NULL,
    -- Roles by rating: JSON pairs (minimum rating, role), highest first.
    bands TEXT NOT NULL,
    -- 1 if each board is posted in a thread of its challenge.
    threads INTEGER NOT NULL,
    -- Where the daily deal is posted, 0 for nowhere.
    daily_channel INTEGER NOT NULL,
    -- Where people see who searches for an opponent, 0 for where they search; and the role that is pinged, 0 for none.
    waiting_channel INTEGER NOT NULL,
    search_role INTEGER NOT NULL,
    -- Since when the bot is in the server. NULL if that is not known.
    joined INTEGER,
    -- 1 while the bot is a member of the server.
    here INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE players (
    user INTEGER PRIMARY KEY,
    console TEXT NOT NULL,
    bids INTEGER NOT NULL,
    warnings INTEGER NOT NULL,
    results INTEGER NOT NULL,
    -- 1 if each reveal is a short new message, too.
    reveals INTEGER NOT NULL,
    cards TEXT NOT NULL,
    two_step INTEGER NOT NULL,
    challenges INTEGER NOT NULL,
    dm_channel INTEGER NOT NULL,
    dm_closed_until INTEGER,
    dm_told INTEGER NOT NULL,
    -- Quiet hours (silent messages) in the player's time zone, in minutes since midnight.
    zone TEXT NOT NULL,
    quiet_from INTEGER NOT NULL,
    quiet_to INTEGER NOT NULL,
    -- Minutes before a slow clock ends at which to remind; an empty list means the defaults.
    reminders TEXT NOT NULL
) STRICT;

CREATE TABLE members (
    guild INTEGER NOT NULL,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    here INTEGER NOT NULL,
    PRIMARY KEY (guild, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_person ON members (user);
-- Rankings exclude members who left; only those are indexed.
CREATE INDEX members_gone ON members (guild, user) WHERE here = 0;

CREATE TABLE blocks (
    by_user INTEGER NOT NULL,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,  -- what they were called when they were blocked
    PRIMARY KEY (by_user, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX blocks_person ON blocks (user);

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
    version INTEGER NOT NULL,
    -- Percentage of matches that the host played to the end; shown to strangers.
    finished INTEGER,
    -- Where players bid: 'own' (each player's preference) or 'board' (on the board).
    place TEXT NOT NULL,
    -- Levels of the house seats, in the order in which they were added.
    house TEXT NOT NULL,
    partition INTEGER NOT NULL
) STRICT;
CREATE INDEX lobbies_open ON lobbies (guild, created) WHERE state = 1;
CREATE INDEX lobbies_unfinished ON lobbies (partition, id) WHERE state = 1;
CREATE INDEX lobbies_host ON lobbies (host, expires);
CREATE INDEX lobbies_guild ON lobbies (guild);

CREATE TABLE lobby_people (
    lobby_id TEXT NOT NULL REFERENCES lobbies (id),
    place INTEGER NOT NULL,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    answer INTEGER NOT NULL,
    PRIMARY KEY (lobby_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX lobby_people_person ON lobby_people (user);

-- People who search for an opponent: one row a person, over all servers.
CREATE TABLE searches (
    user INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    guild INTEGER NOT NULL,
    -- Where people see who waits.
    channel INTEGER NOT NULL,
    game TEXT NOT NULL,
    pool TEXT NOT NULL,
    rating REAL NOT NULL,
    provisional INTEGER NOT NULL,
    began INTEGER NOT NULL,
    -- Steps of 20 seconds, without the time away.
    waited INTEGER NOT NULL,
    -- The challenge of the pair that this person is in; '' while they wait.
    lobby_id TEXT NOT NULL
) STRICT;
CREATE INDEX searches_guild ON searches (guild, began);

-- The message that shows who waits in a channel. posted and edited are noted before the call.
CREATE TABLE search_posts (
    channel INTEGER PRIMARY KEY,
    guild INTEGER NOT NULL,
    message INTEGER NOT NULL,
    posted INTEGER NOT NULL,
    edited INTEGER NOT NULL,
    pinged INTEGER
) STRICT;
CREATE INDEX search_posts_guild ON search_posts (guild);

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
    void INTEGER NOT NULL,
    -- What the players agreed to, byte for byte as it is hashed.
    agreement BLOB NOT NULL,
    -- Reason given by the moderator who stopped, decided or voided the match.
    reason TEXT NOT NULL,
    -- Digest of the record as first published. It stays when the agreement is erased.
    record TEXT NOT NULL DEFAULT '',
    place TEXT NOT NULL,
    -- The clocks stand still until this time, because a player has paused.
    paused INTEGER,
    partition INTEGER NOT NULL
) STRICT;
CREATE INDEX matches_live ON matches (channel) WHERE live = 1;
CREATE INDEX matches_unfinished ON matches (partition, id) WHERE live = 1;
-- To find a server's data when the bot is removed from it.
CREATE INDEX matches_guild ON matches (guild, started);
CREATE INDEX matches_void ON matches (guild) WHERE void = 1;

-- started, live and ended repeat the match's columns, so that one index finds a player's matches.
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

-- The primary key makes it impossible to reveal a round twice.
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
    n INTEGER NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (match_id, deal, place),
    FOREIGN KEY (match_id, deal) REFERENCES deals (match_id, number)
) STRICT, WITHOUT ROWID;

-- The only table that holds a choice before its reveal.
CREATE TABLE seals (
    match_id TEXT NOT NULL REFERENCES matches (id),
    seat INTEGER NOT NULL,
    prompt INTEGER NOT NULL,
    choice TEXT NOT NULL,
    salt BLOB NOT NULL,
    digest BLOB NOT NULL,
    at INTEGER NOT NULL,
    forced INTEGER NOT NULL,
    -- Number of this seal among those of the seat at this prompt.
    n INTEGER NOT NULL,
    -- Id of the interaction that brought it: the same one or an earlier one changes nothing. 0 for a house seat.
    press INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;

-- owner is the id of a match or lobby, here and in surfaces.
CREATE TABLE deadlines (
    owner TEXT NOT NULL,
    kind INTEGER NOT NULL,
    due INTEGER NOT NULL,
    prompt INTEGER NOT NULL,
    -- 1 if it goes by the time away, 0 if by the calendar.
    moves INTEGER NOT NULL,
    partition INTEGER NOT NULL,
    PRIMARY KEY (owner, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX deadlines_due ON deadlines (partition, moves, due);

-- A surface is behind while it shows less than the version of its match or lobby, which a bid writes there only.
-- noted is the sign of life before the last note of what it shows.
-- pending is 2^62 while the match or lobby goes on, then the last version until the surface shows it, then 0. It finds
-- the surfaces that may be behind: no index has what each bid changes, so that PostgreSQL writes no index for a bid.
CREATE TABLE surfaces (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    kind INTEGER NOT NULL,
    user INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    shown INTEGER NOT NULL,
    posted INTEGER NOT NULL,
    token TEXT NOT NULL,
    token_until INTEGER,
    token_app INTEGER NOT NULL,
    beside INTEGER NOT NULL,
    state TEXT NOT NULL,
    noted INTEGER NOT NULL DEFAULT 0,
    -- Time away that was given back by then. What was given since, its deadline is too early.
    given INTEGER NOT NULL DEFAULT 0,
    -- How often time was given back by then. A version that only gave time back since need not be shown, unless the
    -- surface is marked as behind: then the newest one must be.
    times INTEGER NOT NULL DEFAULT 0,
    pending INTEGER NOT NULL DEFAULT 4611686018427387904,
    partition INTEGER NOT NULL
) STRICT;
CREATE INDEX surfaces_owner ON surfaces (owner) WHERE state <> 'gone';
CREATE INDEX surfaces_pending ON surfaces (partition) WHERE pending > 0;
CREATE INDEX surfaces_gone ON surfaces (owner) WHERE state = 'gone';
CREATE INDEX surfaces_person ON surfaces (user) WHERE user <> 0;

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
    -- The season in which the match counted, and the rating in its table before the match.
    season INTEGER NOT NULL,
    season_mu REAL NOT NULL,
    season_sigma REAL NOT NULL,
    PRIMARY KEY (match_id, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX rating_history_person ON rating_history (guild, pool, user, at);
CREATE INDEX rating_history_lately ON rating_history (guild, pool, at);

-- What happened on a day (since 1970, UTC) in a server, without names; guild 0 is no server.
CREATE TABLE daily_counts (
    guild INTEGER NOT NULL,
    day INTEGER NOT NULL,
    what TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (guild, day, what)
) STRICT, WITHOUT ROWID;

-- When each process was last alive and reachable.
CREATE TABLE heartbeats (
    process INTEGER PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;

-- Interactions that changed something within the last hour: Discord sends one again after a kill. Bids are not among
-- them, because their seals name them.
CREATE TABLE handled (
    interaction INTEGER PRIMARY KEY
) STRICT;

-- Work on the rows of a partition that a command or another process asks its owner to do, such as 'pause 10'.
CREATE TABLE jobs (
    partition INTEGER NOT NULL,
    work TEXT NOT NULL,
    -- How often it was asked for: a job that is asked for again while it is done is done again.
    asked INTEGER NOT NULL,
    PRIMARY KEY (partition, work)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Seals that were shown but replaced before the reveal; the score sheet lists them.
CREATE TABLE earlier_seals (
    match_id TEXT NOT NULL REFERENCES matches (id),
    deal INTEGER NOT NULL,
    round INTEGER NOT NULL,
    sub INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    n INTEGER NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (match_id, deal, round, sub, seat, n)
) STRICT, WITHOUT ROWID;

-- The daily deal of each server; day counts from 1970 (UTC).
CREATE TABLE daily_deals (
    guild INTEGER NOT NULL,
    day INTEGER NOT NULL,
    nonce BLOB NOT NULL,
    level TEXT NOT NULL,
    best INTEGER,
    PRIMARY KEY (guild, day)
) STRICT, WITHOUT ROWID;

-- The one try of each player at a daily deal.
CREATE TABLE daily_tries (
    guild INTEGER NOT NULL,
    day INTEGER NOT NULL,
    user INTEGER NOT NULL,
    match_id TEXT NOT NULL REFERENCES matches (id),
    shared INTEGER NOT NULL,
    PRIMARY KEY (guild, day, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX daily_tries_of ON daily_tries (guild, user, day);
CREATE INDEX daily_tries_match ON daily_tries (match_id);

-- What moderators did: who, what, before, after. Append-only.
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
-- To erase a user's data.
CREATE INDEX audit_user ON audit (user);
CREATE INDEX audit_about ON audit (about) WHERE about <> 0;

CREATE TABLE bans (
    guild INTEGER NOT NULL,
    user INTEGER NOT NULL,
    until INTEGER NOT NULL,
    reason TEXT NOT NULL,
    by_user INTEGER NOT NULL,
    PRIMARY KEY (guild, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX bans_person ON bans (user);
CREATE INDEX bans_by ON bans (by_user);

-- Imported records: refereed, never rated, visible to the user who imported them.
CREATE TABLE imports (
    id TEXT PRIMARY KEY,
    user INTEGER NOT NULL,
    at INTEGER NOT NULL,
    record TEXT NOT NULL
) STRICT;
CREATE INDEX imports_person ON imports (user, at);

-- At most one season of a server is open; tables of closed seasons never change.
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

-- Ratings of the current season, beside the all-time ratings.
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

-- Pauses that players took for their slow matches.
CREATE TABLE pauses (
    user INTEGER NOT NULL,
    began INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (user, began)
) STRICT, WITHOUT ROWID;

-- Roles that the bot gave; it takes no other role away. given is 0 until Discord has confirmed.
CREATE TABLE given_roles (
    guild INTEGER NOT NULL,
    user INTEGER NOT NULL,
    role INTEGER NOT NULL,
    given INTEGER NOT NULL,
    PRIMARY KEY (guild, user, role)
) STRICT, WITHOUT ROWID;
CREATE INDEX given_roles_person ON given_roles (user);
