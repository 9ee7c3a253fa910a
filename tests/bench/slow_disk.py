"""The store on a disk whose flush takes 5 ms: durable bids a second, as a multiple of what one flush a bid allows.

MILLISECONDS names another time. It needs a C compiler: the flush is slowed where SQLite calls it.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

MILLISECONDS = os.environ.get("MILLISECONDS", "5")

SHIM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static void wait_a_little(void) {
    struct timespec rest = {0, NANOSECONDS};
    nanosleep(&rest, 0);
}

int fsync(int file) {
    wait_a_little();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
    wait_a_little();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
"""


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "slow.c", Path(folder) / "slow.so"
        source.write_text(SHIM.replace("NANOSECONDS", str(round(float(MILLISECONDS) * 1e6))), encoding="utf-8")
        try:
            subprocess.run(("cc", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"), check=True)
        except FileNotFoundError:
            print("there is no C compiler here: nothing was measured")
            return
        slowed = {**os.environ, "LD_PRELOAD": str(library)}
        subprocess.run((sys.executable, "-m", "tests.bench", "store"), env=slowed, check=True)
