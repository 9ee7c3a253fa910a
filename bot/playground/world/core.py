"""One Discord in memory: everything that REST, the gateway and the people share."""

from pathlib import Path

from bot.playground.world import event as ev
from bot.playground.world.attachment import Shelf
from bot.playground.world.callback import Callbacks
from bot.playground.world.clock import Clock, Mint
from bot.playground.world.dm import DmCounter
from bot.playground.world.interaction import Interactions
from bot.playground.world.posting import Posting
from bot.playground.world.registry import Registry
from bot.playground.world.settings import Settings
from bot.playground.world.world import World


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
