-- Whether boards stand in threads of the challenges that they began as.
ALTER TABLE guilds ADD COLUMN threads INTEGER NOT NULL DEFAULT 0;
