"""Independent pieces of work over processes, with one progress bar."""

import os
import signal
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from types import FrameType
from typing import NoReturn

from tqdm import tqdm

from ...errors import BiochunkError
from .cells import Cell

# Numeric libraries that would start threads of their own in every process.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "TOKENIZERS_PARALLELISM")
_STOPPED = 128 + signal.SIGTERM


def make_all(cells: Sequence[Cell], *, title: str, processes: int, unit: str = "job") -> int:
    """Make every cell that is not fresh; the first error ends it, and what is done stays done.

    cells (Sequence[Cell]): The work, the longest first.
    title, unit (str): For the progress bar on stderr, shown where that is a terminal.
    processes (int): How many at a time; 1: in this process.
    RETURNS (int): How many were made now.
    RAISES (BiochunkError): When a process was ended from outside.
    """
    waiting = [cell for cell in cells if not cell.fresh]
    with tqdm(total=len(waiting), desc=title, unit=f" {unit}", disable=not sys.stderr.isatty()) as bar:
        if processes < 2 or len(waiting) < 2:
            for cell in waiting:
                cell.make()
                bar.update()
            return len(waiting)
        try:
            _spread(waiting, processes, bar)
        except BrokenProcessPool:
            raise BiochunkError(
                f"{title}: found a worker process that was ended from outside, expected it to finish; often memory was "
                "short. What is done is kept: run it again, perhaps with fewer --processes"
            ) from None
    return len(waiting)


def _spread(waiting: Sequence[Cell], processes: int, bar: "tqdm[NoReturn]") -> None:
    # Spawned, as forks of a process that has used torch can hang.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_begin) as pool:
        try:
            for done in as_completed([pool.submit(_make, cell) for cell in waiting]):
                done.result()
                bar.update()
        except Exception:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
        except BaseException:
            # An interrupt: nobody waits for what takes minutes.
            workers = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.terminate()
            raise


def _begin() -> None:
    """Set up a worker: one thread, deaf to the terminal's interrupt, which the parent handles, gone with its parent."""
    for name in _THREADS:
        os.environ[name] = "1"
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    """By way of an exception, so that half-written files are removed."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(_STOPPED)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _make(cell: Cell) -> None:
    try:
        cell.make()
    except SystemExit:
        # The executor would take it for a result, and go on with what is next.
        os._exit(_STOPPED)
