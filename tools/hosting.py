"""What makes a folder of pages a site to be hosted, visited without a network, and installed.

`write` puts beside the pages the service worker with the hash of every file,
a web app manifest for each language, and for common hosts the files by which
they send the right headers: `_headers` (Netlify, Cloudflare Pages and others),
`.htaccess` (Apache) and `_nginx.conf` (nginx).
"""

import base64
import hashlib
import json
import re
from pathlib import Path

import languages
from rulewalk.catalogue import Catalogue

#: What a page may do: nothing comes from elsewhere, and no script or style is written in a page.
#: WebAssembly must be allowed to be compiled; the theme's style sheets hold pictures as data.
POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'none'",
    )
)

#: Sent with everything, and with pages that are not made for the frames of others.
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
_UNFRAMED = "frame-ancestors 'self'"

#: What older servers do not know.
_TYPES = {
    "wasm": "application/wasm",
    "mjs": "text/javascript",
    "webmanifest": "application/manifest+json",
}

#: For files whose path has their hash in it.
_FOR_GOOD = "public, max-age=31536000, immutable"

#: What is not kept for a reader without a network: what is packed for hosts, what is for search
#: engines, programmers or hosts alone, the player for pages on a disk, and the pages that others show in their frames.
_LEFT_OUT = re.compile(
    r"""(^|/)[_.] | [.](gz|br|xml|map)$ | ^([a-z-]+/)?embed/ | ^assets/(card|picture)[.]png$ | ^assets/file-
      | ^assets/runtime/ | ^service-worker[.]js$""",
    re.VERBOSE,
)


def write(site: Path, service_worker: Path, first_script: str) -> None:
    """Make `site`, which has all its pages and assets, ready for hosts and browsers."""
    for language in languages.listed():
        (site / language.home / "app.webmanifest").write_text(_manifest(language), "utf-8")
    files = json.dumps(_files(site, first_script), separators=(",", ":"))
    script = service_worker.read_text("utf-8")
    (site / "service-worker.js").write_text(f"const FILES={files};\n{script}", "utf-8")
    (site / "_headers").write_text(_headers(site), "utf-8")
    (site / ".htaccess").write_text(_htaccess(), "utf-8")
    (site / "_nginx.conf").write_text(_nginx(), "utf-8")


def _files(site: Path, first_script: str) -> dict[str, str]:
    """The hash of each file, by its path, or its folder's for an `index.html`.

    Of the runtime only the script is among them: the service worker and the
    page's worker share the rest, which they keep by themselves.
    """
    files = {}
    for file in sorted(file for file in site.rglob("*") if file.is_file()):
        path = file.relative_to(site).as_posix()
        if path == f"assets/{first_script}" or not _LEFT_OUT.search(path):
            name = path.removesuffix("index.html") if file.name == "index.html" else path
            files[name] = base64.b64encode(hashlib.sha256(file.read_bytes()).digest()).decode()
    return files


def _manifest(language: languages.Language) -> str:
    words = Catalogue.load(language.code, "site")
    root = "../" * language.home.count("/") or "./"
    icon = {"type": "image/png", "purpose": "any maskable"}
    manifest = {
        "id": root,
        "name": "Rulewalk",
        "description": words.text("shell.app"),
        "lang": words.text("shell.language"),
        "start_url": "./",
        "scope": root,
        "display": "minimal-ui",
        "background_color": "#fbfaf6",
        "theme_color": "#1f5c46",
        "icons": [icon | {"src": f"{root}assets/icon-{size}.png", "sizes": f"{size}x{size}"} for size in (192, 512)]
        + [{"src": f"{root}assets/favicon.svg", "sizes": "any", "type": "image/svg+xml"}],
    }
    return json.dumps(manifest, ensure_ascii=False, indent=1)


def _unframed(site: Path) -> list[str]:
    """Patterns for all pages but those under `embed/`."""
    homes = [site / language.home for language in languages.listed()]
    pages = [folder for home in homes for folder in sorted(home.iterdir()) if (folder / "index.html").exists()]
    paths = [f"/{folder.relative_to(site).as_posix()}/*" for folder in pages if folder not in homes]
    return [f"/{language.home}" for language in languages.listed()] + paths


def _headers(site: Path) -> str:
    rules = {"/*": _HEADERS}
    rules |= {path: {"Content-Security-Policy": _UNFRAMED} for path in _unframed(site)}
    rules["/assets/runtime/*"] = {"Cache-Control": _FOR_GOOD}
    return (
        "\n".join(
            "\n".join([path, *(f"  {name}: {value}" for name, value in headers.items())])
            for path, headers in rules.items()
        )
        + "\n"
    )


def _htaccess() -> str:
    """For a folder of an Apache server; whatever it lacks modules for is left out."""
    return "\n".join(
        [
            *(f"AddType {type_} .{suffix}" for suffix, type_ in _TYPES.items()),
            "<IfModule mod_headers.c>",
            *(f'Header always set {name} "{value}"' for name, value in _HEADERS.items()),
            '<If "%{REQUEST_URI} !~ m#/embed/#">',
            f'Header always append Content-Security-Policy "{_UNFRAMED}"',
            "</If>",
            '<If "%{REQUEST_URI} =~ m#/assets/runtime/#">',
            f'Header always set Cache-Control "{_FOR_GOOD}"',
            "</If>",
            "</IfModule>",
            "",
        ]
    )


def _nginx() -> str:
    """For the `server` block of an nginx to include. A header that is set to nothing is not sent."""
    return "\n".join(
        [
            "include mime.types;",
            "types {",
            *(f"  {type_} {suffix};" for suffix, type_ in _TYPES.items()),
            "}",
            "gzip on;",
            "gzip_types text/css text/javascript application/javascript application/json image/svg+xml;",
            "gzip_static on;",
            f'set $rulewalk_frames "{_UNFRAMED}";',
            'if ($uri ~ "/embed/") { set $rulewalk_frames ""; }',
            'set $rulewalk_keeping "";',
            f'if ($uri ~ "/assets/runtime/") {{ set $rulewalk_keeping "{_FOR_GOOD}"; }}',
            *(f'add_header {name} "{value}" always;' for name, value in _HEADERS.items()),
            "add_header Content-Security-Policy $rulewalk_frames always;",
            "add_header Cache-Control $rulewalk_keeping;",
            "",
        ]
    )
