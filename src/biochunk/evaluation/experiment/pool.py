"""Independent pieces of work over processes, with one progress bar."""

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from tqdm import tqdm

from .cells import Cell

# Numeric libraries that would start threads of their own in every process.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "TOKENIZERS_PARALLELISM")


def make_all(cells: Sequence[Cell], *, title: str, processes: int, unit: str = "job") -> int:
    """Make every cell that is not fresh; the first error ends it, and what is done stays done.

    cells (Sequence[Cell]): The work, the longest first.
    title, unit (str): For the progress bar on stderr, shown where that is a terminal.
    processes (int): How many at a time; 1: in this process.
    RETURNS (int): How many were made now.
    """
    waiting = [cell for cell in cells if not cell.fresh]
    with tqdm(total=len(waiting), desc=title, unit=f" {unit}", disable=not sys.stderr.isatty()) as bar:
        if processes < 2 or len(waiting) < 2:
            for cell in waiting:
                cell.make()
                bar.update()
            return len(waiting)
        # Spawned, as forks of a process that has used torch can hang.
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_one_thread) as pool:
            futures = [pool.submit(cell.make) for cell in waiting]
            try:
                for done in as_completed(futures):
                    done.result()
                    bar.update()
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise
    return len(waiting)


def _one_thread() -> None:
    for name in _THREADS:
        os.environ[name] = "1"
