"""One Discord in memory: everything that REST, the gateway and the people share."""

from pathlib import Path

from bot.playground import event as ev
from bot.playground.attachment import Shelf
from bot.playground.callback import Callbacks
from bot.playground.clock import Clock
from bot.playground.dm import DmCounter
from bot.playground.interaction import Interactions
from bot.playground.posting import Posting
from bot.playground.registry import Registry
from bot.playground.settings import Settings
from bot.playground.snowflake import Mint
from bot.playground.world import World


class Core:
    def __init__(self, settings: Settings | None = None, clock_file: Path | None = None) -> None:
        self.settings = settings or Settings()
        self.clock = Clock(clock_file)
        self.mint = Mint(self.clock)
        self.bus = ev.Bus()
        self.world = World(self.clock, self.mint, self.bus)
        self.shelf = Shelf(self.mint, self.settings)
        self.posting = Posting(self.world, self.shelf, self.settings)
        self.interactions = Interactions(self.world, self.settings)
        self.callbacks = Callbacks(self.world, self.posting, self.interactions)
        self.registry = Registry(self.world)
        self.dms = DmCounter(self.clock, self.settings)
