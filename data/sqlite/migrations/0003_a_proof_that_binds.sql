-- Every match, challenge and table that is there ends under version 1 of the proof, which it began under.
ALTER TABLE lobbies ADD COLUMN proof INTEGER NOT NULL DEFAULT 1;
ALTER TABLE matches ADD COLUMN proof INTEGER NOT NULL DEFAULT 1;

-- What everybody agreed to, byte for byte as it is hashed.
ALTER TABLE matches ADD COLUMN agreement BLOB NOT NULL DEFAULT X'';

-- Seals are kept as they were told: which one of its seat at its prompt, and its digest.
ALTER TABLE seals ADD COLUMN n INTEGER NOT NULL DEFAULT 0;
ALTER TABLE decisions ADD COLUMN n INTEGER NOT NULL DEFAULT 0;
ALTER TABLE decisions ADD COLUMN digest BLOB NOT NULL DEFAULT X'';

-- Seals that were shown and are not played, for the sheet.
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
