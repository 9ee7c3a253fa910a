"""Tells of itself as a process: `python -m tests.describe_process WORDS`."""

import json
import os
import sys

if __name__ == "__main__":
    print(json.dumps([os.getpid(), os.getcwd(), sys.argv[1:], sorted(sys.modules)]))
    sys.exit(3)
