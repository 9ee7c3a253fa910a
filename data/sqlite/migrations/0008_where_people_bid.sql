-- Where the bids of a match are made, as it was agreed: wherever each likes it, or on the board itself.
ALTER TABLE lobbies ADD COLUMN place TEXT NOT NULL DEFAULT 'own';
ALTER TABLE matches ADD COLUMN place TEXT NOT NULL DEFAULT 'own';
-- What a server's matches have that say nothing else.
ALTER TABLE guilds ADD COLUMN place TEXT NOT NULL DEFAULT 'own';
