"""Makes the runtime: Pyodide and the engine, as small and as ready to start as they can be.

`make(folder, manifest)` is a step of `build.py`. Every file lies in a folder
named after its content, so that a browser may keep it for good and no two
versions can be mixed; the manifest, which is built into the worker, says where,
how large, and with which hash. Beside each file lies a `.gz`, for hosts that
send such variants and for the worker itself, which unpacks it where the host
does not; and a `.br`, for hosts alone.
"""

import base64
import gzip
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
PACKAGE = ROOT / "node_modules/pyodide"

# The parts of the npm package that a browser asks for if what is made of them is not enough.
STOCK = ("pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")

type Run = Callable[..., None]


def make(folder: Path, manifest: Path, run: Run) -> None:
    """Put the runtime into an empty folder, and what the worker must know of it into a manifest."""
    parts = BUILD / "parts"
    shutil.rmtree(parts, ignore_errors=True)
    parts.mkdir()
    for name in STOCK:
        shutil.copy(PACKAGE / name, parts / name)
    wheel = _engine(parts, run)

    files = {}
    for path in sorted(parts.iterdir()):
        content = path.read_bytes()
        digest = hashlib.sha256(content)
        place = folder / digest.hexdigest()[:12]
        place.mkdir()
        (place / path.name).write_bytes(content)
        (place / f"{path.name}.gz").write_bytes(gzip.compress(content, 9, mtime=0))
        files[path.name] = {
            "path": f"{folder.name}/{place.name}/{path.name}",
            "size": len(content),
            "sha256": base64.b64encode(digest.digest()).decode(),
        }
    lock = _lock(parts / wheel, run)
    manifest.write_text(json.dumps({"files": files, "lock": lock, "engine": wheel}, separators=(",", ":")))


def _engine(parts: Path, run: Run) -> str:
    """Compile the engine's wheel, and what it needs of Python and its library; return the wheel's name."""
    plain = BUILD / "wheel"
    shutil.rmtree(plain, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(plain), "./engine")
    (wheel,) = plain.glob("*.whl")
    run("node", "tools/python.mjs", str(PACKAGE), str(wheel), str(parts))
    (compiled,) = parts.glob("*.whl")
    return compiled.name


def _lock(wheel: Path, run: Run) -> dict[str, object]:
    """Make a lock file that names only the engine.

    The package's own lists some hundred packages of Pyodide's distribution;
    readers need none of them, so they are not offered.
    """
    stock = json.loads((PACKAGE / "pyodide-lock.json").read_text())
    base, lock = BUILD / "pyodide-base.json", BUILD / "pyodide-lock.json"
    base.write_text(json.dumps(stock | {"packages": {}}))
    pyodide = str(Path(sys.executable).with_name("pyodide"))
    add = [pyodide, "lockfile", "add-wheels", "--input", str(base), "--output", str(lock)]
    run(*add, "--base-path", str(wheel.parent), str(wheel))
    made: dict[str, object] = json.loads(lock.read_text())
    return made


def pack(folder: Path) -> "subprocess.Popen[bytes]":
    """Begin to lay a `.br` beside each file of the runtime. The slow part of a first build: wait for it at the end."""
    return subprocess.Popen(["node", "tools/pack.mjs", str(folder), str(BUILD / "packed")])
