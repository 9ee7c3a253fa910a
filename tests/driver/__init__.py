"""An asynchronous client of `/play` that reads like a person, for tests and scripts.

    async with Stage.begin() as stage:
        ana, ben = await stage.person("Ana"), await stage.person("Ben")
        await stage.bot_ready()
        await ana.slash("/gops challenge", opponent=ben)
        challenge = await ben.sees("challenges you")
        await ben.press("Accept", in_=challenge)

It works across processes: `Stage.connect(address)` takes a stand-in that runs elsewhere.
"""

from tests.driver.link import Refused
from tests.driver.person import File, InteractionFailed, NotSeen, Outcome, Person
from tests.driver.seen import Button, Seen, Select
from tests.driver.stage import Calls, Channel, Server, Stage

__all__ = [
    "Button",
    "Calls",
    "Channel",
    "File",
    "InteractionFailed",
    "NotSeen",
    "Outcome",
    "Person",
    "Refused",
    "Seen",
    "Select",
    "Server",
    "Stage",
]
