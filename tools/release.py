"""Makes what a release attaches, into `release/`: the built site as a zip, and the engine's wheel.

    TAG=v1.2.0 python tools/release.py

Both come out the same, byte for byte, wherever they are made from the same sources. Named after the version that
the engine tells (`rulewalk.__version__`); the tag of a release, where there is one, has to tell it as well.
"""

import os
import shutil
import sys
import zipfile
from pathlib import Path

from build import BUILD, ROOT, SITE, fresh
from rulewalk import __version__

RELEASE = ROOT / "release"

#: For every file, as in the wheel: when a file was written is no part of what is released.
_MOMENT = (2020, 2, 2, 0, 0, 0)
_READABLE = 0o100644 << 16


def main() -> None:
    tag = f"v{__version__}"
    if os.environ.get("TAG", tag) != tag:
        sys.exit(f"The engine's version is {__version__} (engine/rulewalk/__init__.py): tag it {tag}, or change it.")
    (wheel,) = (BUILD / "wheel").glob("*.whl")
    fresh(RELEASE)
    shutil.copy(wheel, RELEASE)
    name = f"rulewalk-site-{__version__}"
    pack(SITE, RELEASE / f"{name}.zip", name)
    print(f"In release/: {', '.join(sorted(file.name for file in RELEASE.iterdir()))}")


def pack(site: Path, archive: Path, folder: str) -> None:
    """Write a site into an archive, as one folder, so that unpacking it strews nothing about."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for file in sorted(file for file in site.rglob("*") if file.is_file()):
            entry = zipfile.ZipInfo(f"{folder}/{file.relative_to(site).as_posix()}", _MOMENT)
            entry.external_attr = _READABLE
            out.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED, 9)


if __name__ == "__main__":
    main()
