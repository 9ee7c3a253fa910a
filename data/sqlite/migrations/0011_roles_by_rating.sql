-- From which rating on somebody is given which role of a server: pairs, the highest first.
ALTER TABLE guilds ADD COLUMN bands TEXT NOT NULL DEFAULT '[]';

-- Roles that the bot gave, so that it takes no other. "given" is 0 from before it asks Discord until that is done.
CREATE TABLE given_roles (
    guild INTEGER NOT NULL,
    user INTEGER NOT NULL,
    role INTEGER NOT NULL,
    given INTEGER NOT NULL,
    PRIMARY KEY (guild, user, role)
) STRICT, WITHOUT ROWID;
CREATE INDEX given_roles_person ON given_roles (user);
