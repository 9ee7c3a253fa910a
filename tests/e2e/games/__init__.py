"""Every game and preset of the registry, played over sockets by scripted people."""
