"""`gops verify`: check that the referee did not cheat, from an exported record and nothing else."""

import argparse
import sys

from bot.commands.referee import complain, read_one
from bot.engine.record import RecordError
from bot.referee.proof.verify import verify

NAME = "verify"
HELP = "check the deal and the seals of an exported record"
EXAMPLE = "gops verify K7Q2.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="an exported record; - reads standard input")


def run(args: argparse.Namespace) -> int:
    document, problem = read_one(args.file)
    if document is None:
        return complain(problem, NAME)
    try:
        findings = verify(document)
    except RecordError as error:
        return complain(str(error), NAME)
    for finding in findings:
        sys.stdout.write(f"{'✔' if finding.holds else '✘'} {finding.what}\n")
    return 0 if all(finding.holds for finding in findings) else 1
