"""Commands in, results out: the one way in which a match changes. It never talks to Discord."""
