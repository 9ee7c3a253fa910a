"""A strict stand-in for Discord: REST, gateway, and people who press buttons.

It is the other side of the wire. It imports aiohttp, jsonschema where installed and the standard library, and
nothing else of this project, so a bot that works against it works through sockets alone.

    protocol/ what REST and the gateway share: JSON, components, refusals, Discord's own description
    faults/   what goes wrong on demand
    rules/    what Discord refuses in a body, one file per kind of body
    world/    one Discord in memory: its records, its clock, and what changes them
    gateway/  the websocket that a bot keeps open: sessions, intents, replay
    rest/     `/api/v10`: the pipeline that every call passes, its limits, and the routes
    play/     `/play`: acting as a person, and setting the stage (no Discord route, no authentication)
    page/     `/play` in a browser
    server    puts all of it behind one address
    local     `gops play`: that, and the bot beside it, kept running by `supervisor`
"""
