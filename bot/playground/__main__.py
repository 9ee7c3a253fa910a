"""Start the stand-in: `python -m bot.playground --port 8080`."""

import argparse
import asyncio
import json
import signal
import sys
from pathlib import Path

from bot.playground.protocol import schema
from bot.playground.server import TOKEN, Playground
from bot.playground.world.settings import Settings


def main() -> int:
    options = _parse()
    try:
        asyncio.run(_run(options))
    except OSError as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 1
    return 0


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bot.playground", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default: only this machine)")
    parser.add_argument("--port", type=int, default=8080, help="0 takes any free port")
    parser.add_argument("--print-address", action="store_true", help="print one JSON line once it listens")
    parser.add_argument("--name", default="Bot", help="the bot's name")
    parser.add_argument("--token", default=TOKEN, help="the bot's token (default: %(default)s)")
    parser.add_argument("--server", default="Playground", help="a server to begin with; empty for none")
    parser.add_argument("--clock-file", type=Path, help="a file with seconds to add to the clock")
    parser.add_argument("--schema", type=Path, help="Discord's API description, to hold bodies to")
    parser.add_argument("--no-schema", action="store_true", help="do not look for the description")
    parser.add_argument("--no-limits", action="store_true", help="without rate limits")
    return parser.parse_args()


async def _run(options: argparse.Namespace) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    description = None if options.no_schema else options.schema or schema.find()
    playground = Playground(
        host=options.host,
        port=options.port,
        settings=Settings(),
        clock_file=options.clock_file,
        schema=description,
    )
    playground.pipeline.limits.enabled = not options.no_limits
    playground.add_bot(options.name, options.token, options.server or None)
    async with playground:
        line = {"address": playground.address, "gateway": playground.gateway.address, "token": options.token}
        text = json.dumps(line) if options.print_address else f"The stand-in listens on {playground.address}"
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
        await stop.wait()


if __name__ == "__main__":
    sys.exit(main())
