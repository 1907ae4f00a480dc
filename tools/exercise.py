"""Calls what Python's own types and operators can do, so that `python.mjs` sees which functions that takes.

What the engine calls while it plays is a matter of what is asked. A method that nobody happened to need when the site
was built is none the less in the runtime, because here each is called with arguments of all kinds. Most of these
calls fail, and that is as well: errors take functions too.
"""

import _random
import collections
import functools
import gc
import importlib
import io
import itertools
import operator
import re
import sys
import traceback
import types
import weakref
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, product

# Modules written in C that the engine, and what it imports, stand on.
MODULES = (
    *("_collections", "_functools", "_json", "_operator", "_random", "_sre", "_string", "_struct"),
    *("itertools", "math"),
)

CODECS = ("utf-8", "ascii", "latin-1")
# What is done about letters that a codec does not have.
HANDLERS = (
    *("strict", "ignore", "replace", "backslashreplace", "xmlcharrefreplace", "namereplace"),
    *("surrogateescape", "surrogatepass"),
)

ODD_TEXT = "a\ud800\udcffñ\U0001f0a1"
ODD_BYTES = b"a\xff\xed\xa0\x80"

# Something to the power of a large number takes for ever; others change types that everybody uses.
LEFT_OUT = {"pow", "ipow", "__pow__", "__rpow__", "__ipow__", "__class__", "__setattr__", "__delattr__"}


def own_type() -> type:
    """Make a type that is written in Python; anew, since a type too may be changed by what is called."""

    class Own:
        __slots__ = ("__weakref__", "name")

        def method(self) -> type:
            return type(self)

    return Own


def samples() -> list[object]:
    """Give one of each kind anew, since what is called may change it."""
    own = own_type()
    return [
        *(0, 1, -5, 2**70, True, 1.5, float("nan"), 2j, None, NotImplemented, ...),
        *("", "abc", "a b", "ñ", "\U0001f0a1", "\ud800", "%s: %d", "{0:>5}", b"ab", bytearray(b"ab")),
        *([], [3, 1, 2], (), (1, "a"), {}, {"a": 1}, set(), {1, 2}, frozenset("ab"), range(5), slice(1, 2)),
        *({"a": 1}.keys(), {"a": 1}.items(), {"a": 1}.values(), memoryview(b"ab")),
        *(iter([1]), iter("ab"), iter({1: 2}), enumerate("ab"), zip("ab", "ab", strict=True), map(str, "ab")),
        *((x for x in (1, 2)), reversed([1]), filter(None, "ab"), islice("abc", 1)),
        *(len, "-".join, str.join, lambda *a, **k: (a, k), own().method, property(), operator.itemgetter(0)),
        *(object(), own(), own, ValueError("x"), KeyError("k"), type, str, int, dict, list),
    ]


def rarities() -> list[object]:
    """Give what the engine has about it without handing it around."""

    def generator() -> Iterator[object]:
        yield generator

    try:
        raise KeyError
    except KeyError as error:
        trace = error.__traceback__
    own, running = own_type(), generator()
    next(running)
    return [
        *(generator.__code__, generator.__closure__, running, trace, trace.tb_frame if trace else None),
        *([].__len__, int.__add__, type.__dict__, own.__dict__["name"], int.real, dict.fromkeys, super(type, own)),
        *(staticmethod(len), classmethod(type), weakref.ref(own), list[int], int | str, itertools),
        *(functools.partial(len, []), functools.lru_cache(len), collections.deque("ab"), collections.Counter("ab")),
        *(collections.defaultdict(list), collections.OrderedDict(a=1), types.SimpleNamespace(a=1)),
        *(re.compile("(a)"), re.match("(a)", "a"), re.finditer("a", "a"), _random.Random(4), io.StringIO("ab")),
        *(itertools.count(), itertools.chain("ab"), itertools.product("ab"), itertools.groupby("ab")),
        *(itertools.combinations("ab", 1), itertools.accumulate([1]), itertools.zip_longest("ab")),
        *(itertools.repeat(1), itertools.cycle("ab"), itertools.starmap(len, []), itertools.pairwise("ab")),
    ]


def exercise() -> int:
    """Call everything with no, one and two arguments, and some with three; return how many calls were answered."""
    kinds = samples()
    few = [(), *((each,) for each in kinds), *product(kinds[1::7], kinds[::8]), (1, 2, 3), ("a", "b", 1)]
    answered = 0
    for make in samples, rarities:
        for i, each in enumerate(make()):
            for name in _names(each):
                function = getattr(make()[i], name, None)
                answered += sum(_answers(function, args) for args in few)
    for name in _names(operator):
        answered += sum(_answers(getattr(operator, name), args) for args in product(samples(), samples()))
    for module in map(importlib.import_module, MODULES):
        answered += sum(_answers(getattr(module, name), args) for name in _names(module) for args in few)
    for args in product(CODECS, HANDLERS):
        answered += sum(_answers(code, args) for code in (ODD_TEXT.encode, ODD_BYTES.decode, _write))
    _tell()
    _collect()
    return answered


def _write(codec: str, handler: str) -> int:
    return io.TextIOWrapper(io.BytesIO(), codec, handler).write(ODD_TEXT)


def _tell() -> None:
    """Have mistakes told as those that nobody has caught: with what Python takes to have been meant."""
    mistakes: list[Callable[..., object]] = [iter, len, hash, functools.cache(id), {}.get, set().add]
    mistakes += [operator.attrgetter("nam"), operator.attrgetter("gets"), operator.itemgetter("a")]
    for mistake, each in product(mistakes, [*samples(), *rarities()]):
        try:
            mistake(each)
        except Exception as error:
            error.add_note(ODD_TEXT)
            traceback.format_exception(ExceptionGroup("both", [error]))
            traceback.format_exception(error)
    print(ODD_TEXT, file=sys.stderr)


def _collect() -> None:
    """Make garbage that only the collector of cycles finds, with everything in it; also what is given up by then."""
    cycle: list[object] = [*samples(), *rarities()]
    own = own_type()()
    own.name = cycle
    cycle.append(own)
    gc.collect()
    del cycle, own
    gc.collect()


def _names(each: object) -> list[str]:
    return [name for name in dir(each) if name not in LEFT_OUT]


def _begin(answer: Iterable[object]) -> list[object]:
    return list(islice(answer, 3))


def _answers(function: object, args: Iterable[object]) -> bool:
    try:
        answer = function(*args)  # type: ignore[operator]
        for ask in (repr, str, bool, hash, _begin):
            ask(answer)
    except BaseException:
        return False
    return True
