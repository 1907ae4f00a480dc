"""The command line: ``python -m rulewalk replay``, exactly as wire.md has it, and ``show``.

Most tests call it within this process; what only a process of its own can show has one (and is left out in Pyodide,
where there are no processes).
"""

import errno
import io
import json
import os
import random
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewalk.__main__ as command_line
from rulewalk import Catalogue, Game, replay
from rulewalk.__main__ import MAX_LINE, main
from rulewalk.record import MAX_ACTIONS, MAX_DEPTH, MAX_NAME

from .kit import GAMES, LANGUAGES, NAMES, Wire, at_random, record, records

processes = pytest.mark.skipif(sys.platform == "emscripten", reason="WebAssembly has no processes")


class Ran(NamedTuple):
    """What a command came to."""

    status: int
    out: str
    err: str

    @property
    def results(self) -> list[Wire]:
        """Return the result on each line of the output."""
        lines = self.out.split("\n")
        assert lines.pop() == ""
        return [json.loads(line) for line in lines]


def run(*arguments: str, given: bytes = b"") -> Ran:
    """Run the command line in this process, with ``given`` as standard input."""
    streams = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin, sys.stdout, sys.stderr = (
        io.TextIOWrapper(io.BytesIO(given)),
        stdout := io.TextIOWrapper(out, encoding="ascii"),
        stderr := io.TextIOWrapper(err, encoding="ascii"),
    )
    try:
        status = main(arguments)
    except SystemExit as left:
        status = int(left.code or 0)
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
    stdout.flush()
    stderr.flush()
    return Ran(status, out.getvalue().decode(), err.getvalue().decode())


def process(*arguments: str | bytes, given: bytes = b"", **options: Any) -> Ran:
    """Run the command line in a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-m", "rulewalk", *arguments], input=given, capture_output=True, timeout=60, **options
    )
    return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


def lines(*records_: object) -> bytes:
    """Write records as JSON Lines."""
    return b"".join(json.dumps(one).encode() + b"\n" for one in records_)


def some_game(game: str, seed: int = 7, length: int = 12) -> Wire:
    """Return the record of a random game."""
    *_, last = at_random(Game.from_record(record(game, deal={"seed": seed})), seed, length)
    return last.record()


def some_games() -> list[Wire]:
    """Return a record of each game."""
    return [some_game(game) for game in GAMES]


# ---- replay


def test_each_record_has_its_result_in_order() -> None:
    given = [*some_games(), record("go-fish", players=9), *reversed(some_games())]
    ran = run("replay", given=lines(*given))
    assert ran == (0, ran.out, "")
    assert ran.results == [replay(one) for one in given]


def test_a_result_has_the_fields_of_the_wire_in_their_order() -> None:
    for result in run("replay", given=lines(some_game("go-fish"), {})).results:
        assert list(result) == ["states", "events", "legal", "error"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_of_messages_and_sentences_is_chosen(language: str) -> None:
    given = [*some_games(), record("go-fish", players=9), "no record"]
    ran = run("replay", "--lang", language, "--say", given=lines(*given))
    assert ran.results == [replay(one, language=language, say=True) for one in given]
    for result in ran.results:
        assert all(event["sentence"] for events in result["events"] for event in events)


def test_events_have_no_sentence_unless_it_is_asked_for() -> None:
    (result,) = run("replay", given=lines(some_game("go-fish"))).results
    assert not any("sentence" in event for events in result["events"] for event in events)


@pytest.mark.parametrize("viewer", NAMES[:4])
def test_only_what_a_player_may_see_is_shown(viewer: str) -> None:
    given = some_games()
    ran = run("replay", "--as", viewer, given=lines(*given))
    assert ran.results == [replay(one, viewer=viewer) for one in given]
    assert ran.results != [replay(one) for one in given]


def test_a_viewer_who_does_not_play_is_refused_for_that_record_only() -> None:
    ran = run("replay", "--as", "Vera", given=lines(record("go-fish", players=3), record("go-fish", players=4)))
    first, second = ran.results
    assert (first["states"], first["error"]["code"], first["error"]["index"]) == ([], "unknown-player", None)
    assert second["error"] is None


def test_the_last_line_needs_no_end() -> None:
    given = lines(*some_games())
    assert run("replay", given=given[:-1]) == run("replay", given=given)


def test_lines_may_end_as_on_windows_and_begin_with_a_mark() -> None:
    given = lines(*some_games())
    plain = run("replay", given=given)
    assert run("replay", given=given.replace(b"\n", b"\r\n")) == plain
    assert run("replay", given=b"\xef\xbb\xbf" + given) == plain
    assert run("replay", given=b"".join(b"\xef\xbb\xbf" + line for line in given.splitlines(keepends=True))) == plain


def test_only_a_line_feed_ends_a_line() -> None:
    names = ["A\u2028B", "C\u0085D", "E\u2029F"]
    one = {"game": "egyptian-ratscrew", "players": names, "deal": {"seed": 1}}
    (result,) = run("replay", given=json.dumps(one, ensure_ascii=False).encode() + b"\n").results
    assert list(result["states"][0]["packets"]) == names
    spaced = json.dumps(one).replace(", ", ",\r\t ").encode() + b"\n"
    assert run("replay", given=spaced).results == [result]


def test_nothing_given_is_nothing_answered() -> None:
    assert run("replay") == (0, "", "")


def test_records_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_bytes(lines(*some_games()))
    assert (
        run("replay", str(path))
        == run("replay", given=path.read_bytes())
        == run("replay", "-", given=path.read_bytes())
    )


BAD_LINES = {
    "blank": b"",
    "spaces": b"  \t ",
    "no JSON": b"hello",
    "half a record": b'{"game": "go-fish", "play',
    "two values": b"{} {}",
    "no UTF-8": b'{"game": "\xff"}',
    "UTF-16": '{"game": "go-fish"}'.encode("utf-16"),
    "a surrogate in UTF-8": b'{"game": "\xed\xa0\x80"}',
    "nothing but a mark": b"\xef\xbb\xbf",
    "a null byte": b"\x00",
    "a control character in a string": b'{"game": "go\x01fish"}',
    "NaN": b"NaN",
    "a NaN within": b'{"game": "go-fish", "players": ["A", "B"], "deal": {"seed": NaN}}',
    "infinity": b'{"game": "go-fish", "players": ["A", "B"], "deal": {"seed": -Infinity}}',
    "a huge number": b'{"game": "go-fish", "players": ["A", "B"], "deal": {"seed": ' + b"9" * 10_000 + b"}}",
    "deep lists": b"[" * 200_000,
    "deep objects": b'{"a":' * 200_000,
    "deep and closed": b"[" * 200_000 + b"]" * 200_000,
    "one too deep": b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1),
    "a deep field": b'{"x": ' + b'{"x": [' * 11 + b"]}" * 11 + b', "game": "go-fish"}',
    "brackets that do not pair": b'{"game": [}]',
    "a list": b"[]",
    "a string": b'"go-fish"',
    "null": b"null",
    "a number": b"1e999",
    "an empty object": b"{}",
}


@pytest.mark.parametrize("line", BAD_LINES.values(), ids=BAD_LINES)
def test_a_bad_line_is_answered_as_malformed_and_the_run_goes_on(line: bytes) -> None:
    good = lines(some_game("go-fish"))
    for language in LANGUAGES:
        ran = run("replay", "--lang", language, given=good + line + b"\n" + good)
        before, bad, after = ran.results
        assert (ran.status, ran.err) == (0, "")
        assert before == after == replay(some_game("go-fish"))
        assert (bad["states"], bad["events"], bad["legal"]) == ([], [], [])
        assert (bad["error"]["index"], bad["error"]["code"]) == (None, "malformed")
        assert bad["error"]["message"]


def test_a_line_of_twenty_megabytes_is_one_bad_line() -> None:
    given = b"[" + b"1," * 10_000_000
    results = run("replay", given=lines({}) + given + b"\n" + lines({})).results
    assert [result["error"]["code"] for result in results] == ["malformed"] * 3
    assert len(run("replay", given=given).results) == 1


@pytest.mark.parametrize("size", [*range(60, 70), *range(126, 134), 1000])
def test_a_line_is_skipped_to_its_end_however_long(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_line, "MAX_LINE", 64)
    long = b'"' + b"-" * (size - 2) + b'"'
    for end in (b"\n", b"\r\n"):
        results = run("replay", given=long + end + b"[]\n").results
        assert [result["error"]["code"] for result in results] == ["malformed"] * 2
    assert len(run("replay", given=b"[]\n" + long).results) == 2


def test_a_record_may_be_as_long_as_the_limit() -> None:
    line = lines(some_game("go-fish")).rstrip()
    for length, fits in ((MAX_LINE - 1, True), (MAX_LINE, True), (MAX_LINE + 1, False)):
        (result,) = run("replay", given=line + b" " * (length - len(line)) + b"\n").results
        assert (result["error"] is None) == fits


def test_actions_and_names_have_a_limit() -> None:
    flip = {"type": "flip", "player": "Anton"}
    most = record("egyptian-ratscrew", *[flip] * MAX_ACTIONS, players=2)
    for one, code in [
        (most, "not-your-turn"),
        ({**most, "actions": [flip] * (MAX_ACTIONS + 1)}, "malformed"),
        ({**most, "players": ["A" * MAX_NAME, "Anton"], "actions": []}, None),
        ({**most, "players": ["A" * (MAX_NAME + 1), "Anton"]}, "malformed"),
        ({**most, "players": ["", "Anton"]}, "malformed"),
    ]:
        (result,) = run("replay", given=lines(one)).results
        assert (result["error"] and result["error"]["code"]) == code


@pytest.mark.parametrize("name", ["[" * 30, "{[" * 15, '"' + "[" * 30, '[\\"', "\\", "\\\\" + "}" * 30])
def test_brackets_in_a_string_do_not_nest(name: str) -> None:
    one = {"game": "go-fish", "players": ["B", name], "deal": {"seed": 1}}
    (result,) = run("replay", given=lines(one)).results
    assert (result["error"], list(result["states"][0]["hands"])) == (None, ["B", name])


def test_a_record_may_hold_what_is_not_asked_for_and_is_nested() -> None:
    inner: object = 1
    for _ in range(MAX_DEPTH - 1):
        inner = [inner]
    one = some_game("go-fish")
    assert run("replay", given=lines({**one, "note": inner})).results == [replay(one)]


def test_of_a_key_written_twice_the_last_counts() -> None:
    given = b'{"game": "whist", "game": "go-fish", "players": ["A", "B"], "deal": {"seed": 2}, "deal": {"seed": 1}}\n'
    (result,) = run("replay", given=given).results
    assert result == replay({"game": "go-fish", "players": ["A", "B"], "deal": {"seed": 1}})


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": None}, "malformed"),
        ({"game": "\ud800"}, "unknown-game"),
        ({"game": "x" * 100_000}, "unknown-game"),
        ({"game": "{0} {player} %s"}, "unknown-game"),
        ({"players": ["\ud800", "B"]}, "malformed"),
        ({"players": {"A": "B"}}, "malformed"),
        ({"players": ["A", ["B"]]}, "malformed"),
        ({"players": ["A", "B", "C", "A"]}, "duplicate-player"),
        ({"players": ["A"] * 100_000}, "player-count"),
        ({"dealer": "\udfff"}, "unknown-player"),
        ({"dealer": 1}, "malformed"),
        ({"dealer": "C" * 100_000}, "unknown-player"),
        ({"agreements": []}, "malformed"),
        ({"agreements": {"\ud800": 1}}, "unknown-agreement"),
        ({"deal": None}, "malformed"),
        ({"deal": {}}, "malformed"),
        ({"deal": {"seed": 1, "deck": []}}, "malformed"),
        ({"deal": {"seed": True}}, "malformed"),
        ({"deal": {"seed": 1.0}}, "malformed"),
        ({"deal": {"seed": -1}}, "malformed"),
        ({"deal": {"seed": 2**32}}, "malformed"),
        ({"deal": {"deck": ["\ud800"]}}, "bad-deck"),
        ({"deal": {"deck": [{}]}}, "bad-deck"),
        ({"deal": {"table": []}}, "malformed"),
        ({"deal": {"table": {"phase": {}}}}, "bad-table"),
        ({"actions": {}}, "malformed"),
        ({"actions": None}, "malformed"),
    ],
)
@pytest.mark.parametrize("game", GAMES)
def test_a_broken_record_has_its_code(game: str, change: Wire, code: str) -> None:
    given = {"game": game, "players": ["A", "B", "C", "D"], "deal": {"seed": 1}, **change}
    for language in LANGUAGES:
        ran = run("replay", "--lang", language, given=lines(given))
        (result,) = ran.results
        assert (result["states"], result["legal"]) == ([], [])
        assert (result["error"]["index"], result["error"]["code"]) == (None, code)
        assert 0 < len(result["error"]["message"]) < 300


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "action", [None, 1, "flip", [], {}, {"type": None}, {"type": {}}, {"type": "flip\ud800"}, [[[]]]]
)
def test_a_broken_action_ends_its_record_with_a_code(game: str, action: object) -> None:
    (result,) = run("replay", given=lines({**record(game), "actions": [action]})).results
    assert len(result["states"]) == len(result["events"]) == 1
    assert result["error"]["index"] == 0
    assert result["error"]["code"] == ("unknown-action" if action == {"type": "flip\ud800"} else "malformed")
    assert result["legal"]


# ---- replay, on anything at all

junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=8)
    | st.sampled_from(["seed", "deck", "table", "flip", "slap", "request", "lay", *NAMES[:3], "AS", "JK", *GAMES]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["game", "players", "dealer", "agreements", "deal", "actions", "type", "table", "packets"])
            | st.text(max_size=4),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@st.composite
def broken(draw: st.DrawFn) -> bytes:
    """Draw a record of a played game with something in it replaced, left out, doubled or cut off."""
    game = draw(st.sampled_from(GAMES))
    seed = draw(st.integers(0, 2**32 - 1))
    *_, played = at_random(Game.from_record(draw(records(game))), seed, draw(st.integers(0, 6)))
    whole = played.record()
    if draw(st.booleans()):
        whole["deal"] = {"table": played.state()}
    chance = random.Random(seed)
    for _ in range(draw(st.integers(0, 3))):
        _spoil(whole, chance, draw(junk))
    text = json.dumps(whole)
    if draw(st.integers(0, 9)) == 0:
        place = draw(st.integers(0, len(text)))
        text = text[:place] + draw(st.sampled_from(["", '"', ",", "]", "}", "0", "\\", "null"])) + text[place + 1 :]
    return text.encode()


def _spoil(value: Any, chance: random.Random, other: Any) -> None:
    """Put ``other`` in some place within ``value``, or leave out what is there."""
    while True:
        places = list(value if isinstance(value, dict) else range(len(value)))
        if not places:
            return
        place = chance.choice(places)
        if isinstance(value[place], dict | list) and chance.random() < 0.7:
            value = value[place]
        elif chance.random() < 0.3:
            del value[place]
            return
        else:
            value[place] = other
            return


def _answers(given: Iterable[bytes], *options: str) -> list[Wire]:
    ran = run("replay", *options, given=b"".join(line + b"\n" for line in given))
    assert (ran.status, ran.err) == (0, "")
    return ran.results


def _is_well_formed(result: Wire) -> bool:
    error = result["error"]
    return (
        list(result) == ["states", "events", "legal", "error"]
        and len(result["states"]) == len(result["events"])
        and all(events for events in result["events"])
        and (
            error is None
            or (
                list(error) == ["index", "code", "rules", "message"]
                and (error["index"] is None) == (result["states"] == [])
                and bool(error["message"])
            )
        )
    )


@given(st.lists(junk.map(lambda value: json.dumps(value).encode()), min_size=1, max_size=4))
def test_any_json_has_an_answer(given: list[bytes]) -> None:
    results = _answers(given)
    assert len(results) == len(given)
    assert all(map(_is_well_formed, results))


@given(st.lists(broken(), min_size=1, max_size=3), st.sampled_from(LANGUAGES))
def test_any_spoilt_record_has_an_answer(given: list[bytes], language: str) -> None:
    results = _answers(given, "--lang", language, "--say")
    assert len(results) == len(given)
    assert all(map(_is_well_formed, results))
    assert results == [r for line in given for r in _answers([line], "--lang", language, "--say")]


@given(st.lists(st.binary(max_size=40).filter(lambda line: b"\n" not in line), min_size=1, max_size=5))
def test_any_bytes_have_an_answer(given: list[bytes]) -> None:
    results = _answers(given)
    assert len(results) == len(given)
    assert all(map(_is_well_formed, results))


@given(broken())
def test_a_line_is_answered_as_the_library_answers(given: bytes) -> None:
    try:
        raw = json.loads(given, parse_constant=lambda name: pytest.fail(name))
    except ValueError:
        raw = None
    except pytest.fail.Exception:
        return  # NaN is no JSON, which the library is never asked about
    (result,) = _answers([given])
    answer = replay(raw)
    if raw is None:
        answer["error"]["message"] = result["error"]["message"]  # of a line and not of a record
    assert result == json.loads(json.dumps(answer))


# ---- show


def texts(language: str, given: object) -> tuple[list[str], Ran]:
    """Return what `show` prints for a record, line by line."""
    ran = run("show", "--lang", language, "-", given=lines(given))
    return ran.out.split("\n"), ran


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_shown_step_by_step_with_its_sentences_and_rules(game: str, language: str) -> None:
    played = some_game(game)
    shown, ran = texts(language, played)
    assert (ran.status, ran.err) == (0, "")
    say = Catalogue.load(language)
    steps = "\n".join(shown).split("\n\n")
    told = replay(played, language=language, say=True)
    assert len(steps) == len(told["states"])
    for number, (step, events, state) in enumerate(zip(steps, told["events"], told["states"], strict=True)):
        heading, *rest = step.rstrip("\n").split("\n")
        assert heading == (say.text("text.step", number=number) if number else say.text("text.start"))
        for event, line in zip(events, rest, strict=False):
            assert line.startswith(event["sentence"])
            assert all(rule in line for rule in event["rules"])
        table = rest[len(events) :]
        assert all(line.startswith("- ") for line in table)
        for player in state.get("hands", state.get("packets")):
            assert sum(line.startswith(f"- {player}: ") for line in table) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_shown_can_be_read_aloud(game: str, language: str) -> None:
    shown, _ = texts(language, some_game(game, length=40))
    for line in shown:
        assert line == line.strip()
        assert "  " not in line
        assert not set(line) & set("|_+=<>{}[]\t\\")
        # Letters, numbers, ordinary punctuation and spaces: no drawing, no suit signs, no control characters.
        assert all(unicodedata.category(letter)[0] in "LNPZ" for letter in line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_step_of_ratscrew_reads_like_this(language: str) -> None:
    table = {"turn": "Ana", "packets": {"Ana": ["5H", "2S"], "Rui": ["7H", "8H"]}, "centre": ["9C", "4D"], "hidden": 1}
    given = {"game": "egyptian-ratscrew", "players": ["Ana", "Rui"], "deal": {"table": table}}
    given["actions"] = [{"type": "flip", "player": "Ana"}, {"type": "slap", "players": ["Rui"]}]
    shown, _ = texts(language, given)
    expected = {
        "en": ["- Ana: 1 card.", "- Rui: 1 card.", "four of diamonds, five of hearts."],
        "es": ["- Ana: 1 carta.", "- Rui: 1 carta.", "cuatro de diamantes, cinco de corazones."],
        "pt": ["- Ana: 1 carta.", "- Rui: 1 carta.", "quatro de ouros, cinco de copas."],
    }[language]
    ana, rui, centre, face_down = shown[-5:-1]
    assert (ana, rui) == tuple(expected[:2])
    assert centre.endswith(expected[2])
    assert face_down == f"- {Catalogue.load(language).plural('text.face-down', 2)}"


def test_only_what_a_player_sees_is_shown_to_them() -> None:
    ran = run("show", "--as", "Lena", "-", given=lines(record("go-fish")))
    for name in ("Anton", "Boris", "Vera"):
        assert f"\n- {name}: {Catalogue.load('en').plural('text.cards', 5)}\n" in ran.out
    (own,) = (line for line in ran.out.split("\n") if line.startswith("- Lena: "))
    assert own.count(" of ") == 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_action_is_shown_with_its_reason_and_a_status(language: str) -> None:
    given = record("egyptian-ratscrew", {"type": "flip", "player": "Lena"}, players=2)
    shown, ran = texts(language, given)
    error = replay(given, language=language)["error"]
    assert ran.status == 1
    assert shown[-4:] == [
        "",
        Catalogue.load(language).text("text.refused", number=1),
        f"{error['message']} (ER-2.5)",
        "",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "given", [b"", b"{", b"[]", b'{"game": "whist"}', b"\xff", b"[" * 100_000, b" " * (MAX_LINE + 1)]
)
def test_what_is_no_record_is_told_in_one_sentence(language: str, given: bytes) -> None:
    ran = run("show", "--lang", language, "-", given=given)
    assert ran.status == 1
    assert (ran.out + ran.err).count("\n") == 1


def test_a_record_to_show_may_be_written_over_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(some_game("go-fish"), indent=2))
    assert run("show", str(path)) == run("show", "-", given=lines(some_game("go-fish")))


def test_a_name_commands_no_terminal_and_breaks_no_line() -> None:
    names = ["A\x1b[31m", "B\nC", "D\u2028E\x7f\x9b"]
    given = {"game": "egyptian-ratscrew", "players": names, "deal": {"seed": 1}}
    shown, _ = texts("en", given)
    assert shown[2:5] == ["- A\ufffd[31m: 18 cards.", "- B\ufffdC: 17 cards.", "- D\ufffdE\ufffd\ufffd: 17 cards."]
    assert len(shown) == 7


# ---- the command line itself


@pytest.mark.parametrize("arguments", [["--help"], ["replay", "--help"], ["show", "--help"], ["-h"]])
def test_help_is_given(arguments: list[str]) -> None:
    ran = run(*arguments)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("usage: python -m rulewalk")
    assert len(ran.out.splitlines()) > 8


def test_help_names_what_can_be_chosen() -> None:
    whole = run("--help").out + run("replay", "--help").out + run("show", "--help").out
    for word in ("replay", "show", "--lang", "en,es,pt", "--as PLAYER", "--say", "--version", "RECORD", "JSON"):
        assert word in whole


def test_the_version_is_told() -> None:
    ran = run("--version")
    assert (ran.status, ran.out.split()[0]) == (0, "rulewalk")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["play"],
        ["replay", "--lang", "fr"],
        ["replay", "--as"],
        ["show"],
        ["replay", "a", "b"],
        ["replay", "--loud"],
    ],
)
def test_a_wrong_command_is_told_in_two_lines_or_so(arguments: list[str]) -> None:
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("usage: python -m rulewalk")
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("command", ["replay", "show"])
def test_a_file_that_cannot_be_read_is_told(command: str, tmp_path: Path) -> None:
    for path in (tmp_path / "missing.json", tmp_path):
        ran = run(command, str(path))
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith(f"rulewalk: cannot read {path}: ")
        assert ran.err.count("\n") == 1


def test_a_closed_standard_input_or_output_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    complaint = io.StringIO()
    monkeypatch.setattr(sys, "stderr", complaint)
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["replay"]) == 2
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["replay"]) == 2
    assert complaint.getvalue().splitlines() == [
        f"rulewalk: cannot read -: {os.strerror(errno.EBADF)}",
        "rulewalk: standard output is closed",
    ]


# ---- in a process of its own


@processes
def test_the_module_is_a_program() -> None:
    given = lines(*some_games(), "bad")
    assert process("replay", given=given) == run("replay", given=given)
    assert process("show", "--lang", "pt", "-", given=given.split(b"\n")[0]).out.count("\n- Anton: ") > 1


@processes
def test_each_line_is_answered_at_once() -> None:
    command = [sys.executable, "-m", "rulewalk", "replay"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        for one in some_games():
            asked.stdin.write(lines(one))
            asked.stdin.flush()
            assert json.loads(asked.stdout.readline())["error"] is None
        asked.stdin.close()
        assert asked.wait(30) == 0


@processes
@pytest.mark.parametrize("command", ["replay", "show"])
def test_a_reader_who_leaves_early_is_no_error(command: str, tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    long = some_game("egyptian-ratscrew", length=400)
    path.write_bytes(lines(*[long] * 5) if command == "replay" else lines(long))
    with subprocess.Popen(
        [sys.executable, "-m", "rulewalk", command, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as left:
        assert left.stdout is not None
        assert left.stderr is not None
        left.stdout.read(10)
        left.stdout.close()
        assert left.stderr.read() == b""
        assert left.wait(30) == 0


@processes
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "rulewalk", "replay"], input=b"{}\n", stdout=full, stderr=subprocess.PIPE
        )
    assert ran.returncode == 2
    assert ran.stderr.decode() == f"rulewalk: cannot go on: {os.strerror(errno.ENOSPC)}\n"


@processes
def test_an_interrupt_ends_it_quietly() -> None:
    command = [sys.executable, "-m", "rulewalk", "replay"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as waiting:
        assert waiting.stdin is not None
        assert waiting.stdout is not None
        assert waiting.stderr is not None
        waiting.stdin.write(b"{}\n")
        waiting.stdin.flush()
        waiting.stdout.readline()  # it is up, and waits for the next line
        waiting.send_signal(signal.SIGINT)
        assert waiting.wait(30) == 130
        assert waiting.stderr.read() == b""


@processes
def test_the_output_is_utf_8_whatever_the_terminal_is_set_to() -> None:
    ascii_only = {
        **os.environ,
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "ascii",
    }
    given = lines({"game": "egyptian-ratscrew", "players": ["Zoë", "孫"], "deal": {"seed": 1}})
    ran = process("show", "-", given=given, env=ascii_only)
    assert (ran.status, ran.err) == (0, "")
    assert "- Zoë: " in ran.out
    assert "- 孫: " in ran.out


@processes
@pytest.mark.skipif(os.name != "posix", reason="only there may a file's name be any bytes")
def test_a_file_name_that_is_no_text_is_told_too() -> None:
    ran = process("replay", b"\xff.jsonl")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("rulewalk: cannot read \\udcff.jsonl: ")
    (result,) = process("replay", "--as", b"\xff", given=lines(record("go-fish"))).results
    assert result["error"]["code"] == "unknown-player"
