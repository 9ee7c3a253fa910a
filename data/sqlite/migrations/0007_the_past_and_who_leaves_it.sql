-- Records that people brought in to look at: refereed, never rated, seen by whoever sent them.
CREATE TABLE imports (
    id TEXT PRIMARY KEY,
    user INTEGER NOT NULL,
    at INTEGER NOT NULL,
    record TEXT NOT NULL
) STRICT;
CREATE INDEX imports_person ON imports (user, at);

-- The seal of a match's record as it was first published: kept where the agreement had to be erased, which it covers.
ALTER TABLE matches ADD COLUMN record TEXT NOT NULL DEFAULT '';

-- Everything of a person is found by an index, to be given to them or erased.
CREATE INDEX bars_person ON bars (user);
CREATE INDEX bars_by ON bars (by_user);
CREATE INDEX members_person ON members (user);
CREATE INDEX blocks_person ON blocks (user);
CREATE INDEX lobby_people_person ON lobby_people (user);
CREATE INDEX surfaces_person ON surfaces (user) WHERE user <> 0;

-- How reliably whoever challenges plays their matches to the end, told to strangers whom they ask.
ALTER TABLE lobbies ADD COLUMN finished INTEGER;
