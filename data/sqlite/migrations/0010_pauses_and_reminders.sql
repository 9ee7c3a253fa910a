-- Time that somebody took for their slow matches. What is left of it is counted from what they took lately.
CREATE TABLE pauses (
    user INTEGER NOT NULL,
    began INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (user, began)
) STRICT, WITHOUT ROWID;

-- Until when the clocks of a match stand still, because somebody there has paused.
ALTER TABLE matches ADD COLUMN paused INTEGER;

-- How many minutes before a slow clock runs out somebody is reminded; none are the usual.
ALTER TABLE players ADD COLUMN reminders TEXT NOT NULL DEFAULT '[]';

-- The few who have left a server are left out of its rankings without a look at everybody else.
CREATE INDEX members_gone ON members (guild, user) WHERE here = 0;
