"""Walkthrough scripts: YAML files that tell a game step by step.

A script lies at `scripts/<game>/<name>.yaml`, and `<game>/<name>` is the
walkthrough's name. This module knows the form of a script and nothing of the
games: whether a script is true is for `rulewalk_tutorials.story` to find out.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

#: Where this project keeps its scripts.
SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"

Action = Mapping[str, Any]
Record = Mapping[str, Any]

_SCRIPT_KEYS = {"record", "steps", "shows", "agreements"}
_STEP_KEYS = {"do", "try", "refused", "comment", "expect", "ask", "branch"}
_BRANCH_KEYS = {"title", "steps"}
_EXACT_KEYS = {"phase", "turn", "next", "books", "scores", "winners", "hidden", "challenge", "out"}
_EXPECT_KEYS = {*_EXACT_KEYS, "hands", "stock", "packets", "centre"}


class ScriptError(Exception):
    """A script that cannot be used, with the walkthrough, the step and the reason."""

    def __init__(self, name: str, step: int | None, reason: str) -> None:
        where = f"walkthrough {name}" if step is None else f"walkthrough {name}, step {step}"
        super().__init__(f"{where}: {reason}")
        self.name, self.step, self.reason = name, step, reason


@dataclass(frozen=True)
class Expectation:
    """What must hold after a step. Whatever a script leaves out may be anything."""

    exact: Mapping[str, Any] = field(default_factory=dict)
    #: player -> rank -> number of cards; the rank "all" counts the whole hand.
    hands: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    #: How many cards lie in a place of the table: {"stock": 77, "packets:Ana": 3, "centre": 2}.
    sizes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """One step: an action that is done, an attempt that is refused, or (step 0) neither."""

    number: int
    comment: str
    action: Action | None = None
    attempt: Action | None = None
    refused: str | None = None
    expect: Expectation = field(default_factory=Expectation)
    #: What readers are asked before they see it (`rulewalk_tutorials.guess`).
    ask: str | None = None
    #: Other ways on from here.
    branches: "tuple[Branch, ...]" = ()


@dataclass(frozen=True)
class Branch:
    """Another way on from a step: “What if …?” Its steps count from 1."""

    title: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Script:
    """A walkthrough: the record it starts from, and its steps, the first of which is step 0."""

    name: str
    record: Record
    steps: tuple[Step, ...]
    #: Rules it shows although no event of its and no refusal names them.
    shows: tuple[str, ...] = ()
    #: Agreements under which it goes another way, for readers who want to see which.
    agreements: Mapping[str, Any] = field(default_factory=dict)

    def words(self) -> Iterator[str]:
        """Yield the keys of all its words in the catalogue of walkthroughs."""
        yield f"{self.name}.title"
        if self.agreements:
            yield f"{self.name}.agreement"
        for step in self.steps:
            yield step.comment
            for branch in step.branches:
                yield branch.title
                yield from (step.comment for step in branch.steps)


def names(scripts: Path = SCRIPTS) -> list[str]:
    """List the walkthroughs there are, in alphabetical order."""
    return sorted(path.relative_to(scripts).with_suffix("").as_posix() for path in scripts.rglob("*.yaml"))


def load(name: str, scripts: Path = SCRIPTS) -> Script:
    """Read the script of that name; raise ScriptError if it is missing or malformed."""
    script = _read(name, scripts)
    _only(name, None, script, _SCRIPT_KEYS, needed={"record", "steps"})
    steps = script["steps"]
    if not isinstance(steps, list) or not steps:
        raise ScriptError(name, None, "`steps` must be a list of steps")
    shows = script.get("shows", [])
    if not isinstance(shows, list) or not all(isinstance(rule, str) for rule in shows):
        raise ScriptError(name, None, "`shows` must be a list of rules, such as [GF-2.1]")
    agreements = script.get("agreements", {})
    if not isinstance(agreements, dict):
        raise ScriptError(name, None, "`agreements` names settings and their values, such as {double-book-bonus: 2}")
    return Script(
        name=name,
        record=_record(name, script["record"], scripts),
        steps=tuple(_step(name, number, step) for number, step in enumerate(steps)),
        shows=tuple(shows),
        agreements=agreements,
    )


def _read(name: str, scripts: Path) -> Mapping[str, Any]:
    path = scripts / f"{name}.yaml"
    if not path.is_file():
        raise ScriptError(name, None, f"there is no such script; it would be {path}")
    try:
        script = _parsed(path.read_text("utf-8"))
    except yaml.YAMLError as error:
        raise ScriptError(name, None, f"{path} is no good YAML: {error}") from error
    if not isinstance(script, dict):
        raise ScriptError(name, None, f"{path} must hold `record` and `steps`")
    return script


@cache
def _parsed(text: str) -> Any:
    """Each language's page reads the same script; nobody changes what was read."""
    return yaml.load(text, Loader=_Loader)


def _record(name: str, record: Any, scripts: Path) -> Record:
    """A record written out, or the name of the walkthrough that starts from the same one."""
    if isinstance(record, str):
        shared = _read(record, scripts).get("record")
        if not isinstance(shared, dict):
            raise ScriptError(name, None, f"`record: {record}` must name a script with a record of its own")
        record = shared
    if not isinstance(record, dict):
        raise ScriptError(name, None, "`record` must be a record (wire.md) or a walkthrough's name")
    if "actions" in record:
        raise ScriptError(name, None, "the `record` has no `actions`: the steps are its actions")
    return record


def _step(name: str, number: int, step: Any) -> Step:
    if not isinstance(step, dict):
        raise ScriptError(name, number, "a step must be a mapping such as `do: …`")
    _only(name, number, step, _STEP_KEYS, needed={"comment", "expect"})
    told = [key for key in ("do", "try") if key in step]
    if number == 0 and told:
        raise ScriptError(name, number, "step 0 is the position before the first action")
    if number > 0 and len(told) != 1:
        raise ScriptError(name, number, "a step has either `do` or `try`")
    if ("try" in step) != ("refused" in step):
        raise ScriptError(name, number, "`try` and `refused` go together: the attempt, the code expected")
    for key in told:
        if not isinstance(step[key], dict):
            raise ScriptError(name, number, f"`{key}` must be an action such as {{type: request, …}}")
    if number == 0 and "ask" in step:
        raise ScriptError(name, number, "nothing can be asked before step 0")
    for key in ("comment", "refused", "ask"):
        if key in step and not isinstance(step[key], str):
            raise ScriptError(name, number, f"`{key}` must be a word")
    return Step(
        number=number,
        comment=f"{name}.{step['comment']}",
        action=step.get("do"),
        attempt=step.get("try"),
        refused=step.get("refused"),
        expect=_expectation(name, number, step["expect"]),
        ask=step.get("ask"),
        branches=tuple(_branches(name, number, step.get("branch", []))),
    )


def _branches(name: str, number: int, branches: Any) -> Iterator[Branch]:
    """Read the other ways on from a step. They do not branch again, and nothing is asked on them."""
    if not isinstance(branches, list):
        raise ScriptError(name, number, "`branch` must be a list of other ways on, each with `title` and `steps`")
    for branch in branches:
        if not isinstance(branch, dict):
            raise ScriptError(name, number, "a branch must be a mapping with `title` and `steps`")
        _only(name, number, branch, _BRANCH_KEYS, needed=_BRANCH_KEYS)
        title, steps = branch["title"], branch["steps"]
        if not isinstance(title, str) or not isinstance(steps, list) or not steps:
            raise ScriptError(name, number, "a branch has a word for its `title`, and `steps`")
        with on_branch(number, title):
            read = tuple(_step(name, place, step) for place, step in enumerate(steps, 1))
            if odd := [step.number for step in read if step.branches or step.ask]:
                raise ScriptError(name, odd[0], "a branch has no branches or questions of its own")
        yield Branch(f"{name}.{title}", read)


@contextmanager
def on_branch(number: int, title: str) -> Iterator[None]:
    """Say of a complaint on which branch it is: the steps of one count for themselves."""
    try:
        yield
    except ScriptError as error:
        reason = f"branch {title}, step {error.step}: {error.reason}"
        raise ScriptError(error.name, number, reason) from error


def _expectation(name: str, number: int, expect: Any) -> Expectation:
    if not isinstance(expect, dict) or not expect:
        raise ScriptError(name, number, "`expect` must say at least one thing that holds after the step")
    _only(name, number, expect, _EXPECT_KEYS)
    hands = expect.get("hands", {})
    for player, counts in hands.items() if isinstance(hands, dict) else [("", None)]:
        if not isinstance(counts, dict) or not all(
            isinstance(rank, str) and type(count) is int for rank, count in counts.items()
        ):
            raise ScriptError(
                name,
                number,
                f'`expect: hands: {player}` must count cards by rank, the rank in quotes: {{"6": 2, all: 5}}',
            )
    exact = {key: value for key, value in expect.items() if key in _EXACT_KEYS}
    return Expectation(exact=exact, hands=hands, sizes=_sizes(name, number, expect))


def _sizes(name: str, number: int, expect: Mapping[str, Any]) -> Mapping[str, int]:
    """Gather how many cards are expected in the stock, in the centre and in each packet."""
    packets = expect.get("packets", {})
    if not isinstance(packets, dict):
        raise ScriptError(name, number, "`expect: packets` counts each player's cards: {Ana: 3}")
    sizes = {key: expect[key] for key in ("stock", "centre") if key in expect}
    sizes |= {f"packets:{player}": count for player, count in packets.items()}
    for place, count in sizes.items():
        if type(count) is not int:
            raise ScriptError(name, number, f"`expect: {place}` is a number of cards")
    return sizes


def _only(
    name: str,
    step: int | None,
    mapping: Mapping[Any, Any],
    known: Iterable[str],
    needed: Iterable[str] = (),
) -> None:
    """Complain of keys that are not known, and of needed ones that are not there."""
    known = sorted(known)
    if unknown := [str(key) for key in mapping if key not in known]:
        raise ScriptError(name, step, f"unknown: {', '.join(unknown)} (known: {', '.join(known)})")
    if missing := sorted(set(needed) - set(mapping)):
        raise ScriptError(name, step, f"missing: {', '.join(missing)}")


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader, which however takes a key given twice as a mistake."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            if key_node.value in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"“{key_node.value}” is given twice", problem_mark=key_node.start_mark
                )
            seen.add(key_node.value)
        return super().construct_mapping(node, deep)
