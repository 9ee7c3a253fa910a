-- Cards have faces now, with the symbols beside them: whoever did not ask for letters gets both.
UPDATE players SET cards = 'faces' WHERE cards = 'symbols';
UPDATE guilds SET cards = 'faces' WHERE cards = 'symbols';
