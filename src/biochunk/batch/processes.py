"""Blocks of lines through the same pipeline in one or several processes; the results are the same."""

import signal
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from ..errors import BiochunkError, UsageError
from ..pipeline.load import load_pipeline
from .lines import Line
from .run import Chunker, Outcome, Settings

Result = tuple[list[Line], list[Outcome]]

# Blocks in work or waiting, for each process: enough that none is idle, few enough for the memory.
_AHEAD = 2


def run_blocks(
    blocks: Iterable[list[Line]], pipeline: str, settings: Settings, *, n_process: int = 1
) -> Generator[Result, None, None]:
    """Yields each block with what became of its lines, in order.

    blocks (Iterable[list[Line]]): The lines; read as far ahead as the processes need them.
    pipeline (str): Name or path of a pipeline.
    settings (Settings): How it is used.
    n_process (int): Processes; each loads the pipeline by itself, and only lines and records pass between.
    RAISES (UsageError): If there is no such pipeline or relation.
    RAISES (BiochunkError): If the pipeline cannot be loaded, or a process dies.
    """
    if n_process == 1:
        chunker = Chunker(load_pipeline(pipeline, settings.relation), settings)
        for block in blocks:
            yield block, chunker.run(block)
        return
    pool = ProcessPoolExecutor(n_process, initializer=_start, initargs=(pipeline, settings))
    pending: deque[tuple[list[Line], Future[list[Outcome]]]] = deque()
    try:
        # An empty block first: a wrong pipeline shows before anything is read.
        pool.submit(_run, []).result()
        for block in blocks:
            pending.append((block, pool.submit(_run, block)))
            if len(pending) > _AHEAD * n_process:
                yield _next(pending)
        while pending:
            yield _next(pending)
    except BrokenProcessPool:
        raise BiochunkError(
            "A worker process died, probably for lack of memory. Use a smaller --n-process or --batch-size."
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _next(pending: deque[tuple[list[Line], Future[list[Outcome]]]]) -> Result:
    block, future = pending.popleft()
    return block, future.result()


class _Worker:
    """What one worker process holds; it loads its pipeline with the first block."""

    pipeline = ""
    settings: Settings
    chunker: Chunker | None = None


def _start(pipeline: str, settings: Settings) -> None:
    # Ctrl-C reaches the whole group of processes: the parent alone acts on it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A fork inherits the command line's handler, whose exception the pool would take for a block's result.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _Worker.pipeline = pipeline
    _Worker.settings = settings


def _run(block: list[Line]) -> list[Outcome]:
    try:
        if _Worker.chunker is None:
            nlp = load_pipeline(_Worker.pipeline, _Worker.settings.relation)
            _Worker.chunker = Chunker(nlp, _Worker.settings)
        return _Worker.chunker.run(block)
    except BiochunkError as error:
        # Some errors of ours cannot be pickled; message and exit code are what the parent needs.
        kind = UsageError if error.exit_code == UsageError.exit_code else BiochunkError
        raise kind(str(error)) from None
