"""The engine's tests once more, inside Pyodide under Node: 3.14 on WebAssembly is held to the same.

Left out there are only this test and those that start a process; a property is tried with fewer examples
(`conftest.py`), because WebAssembly takes several times as long.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ROOT / "build" / "pyodide-tests"
NEEDED = ("hypothesis", "iniconfig", "packaging", "pluggy", "pygments", "pytest", "sortedcontainers")

pytestmark = pytest.mark.skipif(sys.platform == "emscripten", reason="this is what starts these tests in Pyodide")


def locked() -> str:
    """Return what the lock files of the repository say of the packages needed, with their hashes."""
    lines: dict[str, list[str]] = {}
    for name in ("site", "test"):
        package = ""
        for line in (ROOT / f"requirements/{name}.txt").read_text("utf-8").splitlines():
            if line and not line[0].isspace() and "==" in line:
                package = line.split("==")[0]
                lines[package] = []
            if not line.strip().startswith("#"):
                lines.setdefault(package, []).append(line)
    return "\n".join(line for package in NEEDED for line in lines[package]) + "\n"


@pytest.fixture(scope="module")
def packages() -> Path:
    """Pytest, Hypothesis and what they need, built for Pyodide: downloaded once for each lock file."""
    wanted, stamp = locked(), PACKAGES / "requirements.txt"
    if stamp.is_file() and stamp.read_text("utf-8") == wanted:
        return PACKAGES
    lock = json.loads((ROOT / "node_modules/pyodide/pyodide-lock.json").read_text("utf-8"))["info"]
    shutil.rmtree(PACKAGES, ignore_errors=True)
    PACKAGES.mkdir(parents=True)
    partial = PACKAGES / "requirements.partial.txt"
    partial.write_text(wanted, "utf-8")
    got = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"),
            *("--target", PACKAGES, "--platform", f"pyemscripten_{lock['abi_version']}_{lock['arch']}"),
            *("--implementation", "cp", "--python-version", ".".join(lock["python"].split(".")[:2])),
            *("--only-binary", ":all:", "--no-deps", "--require-hashes", "--requirement", partial),
        ],
        capture_output=True,
        text=True,
    )
    if got.returncode:
        pytest.fail(f"The packages for the tests in Pyodide cannot be had.\n{got.stderr}", pytrace=False)
    partial.rename(stamp)
    return PACKAGES


def test_the_engine_passes_its_tests_inside_pyodide(
    packages: Path, record_property: Callable[[str, str], None]
) -> None:
    command = ["node", ROOT / "tests/engine/pyodide/run.mjs", ROOT, packages, "tests/engine", "-rs"]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
    assert ran.returncode == 0, ran.stdout
    # What was left out there, and how many passed.
    record_property("Inside Pyodide", "\n".join(ran.stdout.splitlines()[-12:]))
