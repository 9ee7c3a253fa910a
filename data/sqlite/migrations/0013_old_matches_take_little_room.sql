-- What was dealt, decided and sealed in a match that is over for long, as one value in the place of all those rows.
-- Nothing of it ever changes, and nobody's name or id is in it (data/sql/folding.py).
ALTER TABLE matches ADD COLUMN folded BLOB;
CREATE INDEX matches_unfolded ON matches (ended, id) WHERE folded IS NULL AND live = 0;
