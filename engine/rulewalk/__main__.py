"""The command line: ``python -m rulewalk replay`` and ``python -m rulewalk show``."""

import argparse
import errno
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from rulewalk import __version__, languages
from rulewalk.game import Told, refused
from rulewalk.record import parse
from rulewalk.refusal import Refusal
from rulewalk.text import told_in_text

MAX_LINE = 16 * 2**20
"""Bytes of a line; a longer one is no record and is answered as such, without being held in memory."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    0; 1 where the one record to show was refused; 2 where a file cannot be read or the answers cannot be written.
    """
    options = _parser().parse_args(arguments)
    # Whatever the terminal is set to, JSON Lines are UTF-8 and names are shown as they are written.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    if sys.stdout is None:
        return _fail("standard output is closed")
    try:
        source = _open(options.file)
    except OSError as error:
        return _fail(f"cannot read {options.file}: {error.strerror}")
    try:
        with source:
            status = int(options.run(options, source, sys.stdout))
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader has seen enough
        status = 0
    except OSError as error:
        status = _fail(f"cannot go on: {error.strerror}")
    except KeyboardInterrupt:
        status = 130
    sys.stdout = None  # what could not be written is not tried again at exit
    return status


def _open(file: str) -> BinaryIO:
    if file != "-":
        return Path(file).open("rb")
    if sys.stdin is None:  # Python's way of telling that the shell closed it
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return sys.stdin.buffer


def _fail(why: str) -> int:
    print(f"rulewalk: {why}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m rulewalk",
        description="Plays Backstab Fish, Go Fish and Egyptian Ratscrew from records in JSON, by their numbered rules.",
        epilog='Example: echo \'{"game": "go-fish", "players": ["Ana", "Rui"], "deal": {"seed": 1}}\' '
        "| python -m rulewalk show -",
    )
    parser.add_argument("--version", action="version", version=f"rulewalk {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--lang", choices=languages(), default="en", help="language of messages and sentences (default: en)"
    )
    common.add_argument("--as", dest="viewer", metavar="PLAYER", help="show only what this player may see")

    replay = commands.add_parser(
        "replay",
        parents=[common],
        help="answer each record of a JSON Lines file with its states, events, legal actions and error",
        description="Reads one record a line and writes one result a line, in the same order. A line that is no record "
        "gets a 'malformed' result.",
    )
    replay.add_argument("file", nargs="?", default="-", help="a JSON Lines file, or - for standard input (the default)")
    replay.add_argument("--say", action="store_true", help="give each event its sentence")
    replay.set_defaults(run=_replay)

    show = commands.add_parser(
        "show",
        parents=[common],
        help="tell one record step by step, in plain text",
        description="Prints a game step by step: what happened, under which rules, and how the table stands. Plain "
        "lines without drawing, so that a screen reader can read them.",
    )
    show.add_argument("file", metavar="RECORD", help="a file with one record in JSON, or - for standard input")
    show.set_defaults(run=_show)
    return parser


def _replay(options: argparse.Namespace, source: BinaryIO, out: TextIO) -> int:
    for line in _lines(source):
        _answer(line, options, out)
        out.flush()  # whoever asks line by line gets each answer at once
    return 0


def _lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Yield each line without its end, None for one that is too long."""
    while line := source.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE and not line.endswith(b"\n"):
            while (rest := source.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            yield None
        else:
            yield line.rstrip(b"\r\n")


def _answer(line: bytes | None, options: argparse.Namespace, out: TextIO) -> None:
    """Write one result, state by state, so that a long game is never held as a whole."""
    try:
        record = _decode(line)
    except Refusal as refusal:
        _write(out, [], [], refused(refusal, options.lang))
        return
    told = Told(record, language=options.lang, say=options.say, viewer=options.viewer)
    events: list[str] = []
    out.write('{"states": [')
    for state, happened in told:
        out.write(", " if events else "")
        out.write(json.dumps(state))
        events.append(json.dumps(happened))
    _write(out, events, told.legal, told.error, opened=True)


def _decode(line: bytes | None) -> object:
    if line is None:
        raise Refusal("malformed", about="json")
    try:
        return parse(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Refusal("malformed", about="json") from None


def _write(out: TextIO, events: list[str], legal: Any, error: Any, *, opened: bool = False) -> None:
    start = "]" if opened else '{"states": []'
    rest = f'"legal": {json.dumps(legal)}, "error": {json.dumps(error)}'
    out.write(f'{start}, "events": [{", ".join(events)}], {rest}}}\n')


def _show(options: argparse.Namespace, source: BinaryIO, out: TextIO) -> int:
    content = source.read(MAX_LINE + 1)
    try:
        told = Told(
            _decode(content if len(content) <= MAX_LINE else None),
            language=options.lang,
            say=True,
            viewer=options.viewer,
        )
    except Refusal as refusal:
        print(refused(refusal, options.lang)["message"], file=sys.stderr)
        return 1
    for line in told_in_text(told):
        print(line, file=out)
    return 1 if told.error else 0


if __name__ == "__main__":
    sys.exit(main())
