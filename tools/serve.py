"""Serves a built site on this machine.

python tools/serve.py site --port 8000
"""

import argparse
import contextlib
import errno
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

# What a browser may say that it takes, and the name of such a variant beside a file.
PACKED = {"br": ".br", "gzip": ".gz"}


class Handler(SimpleHTTPRequestHandler):
    """Like a static host: the types a browser insists on, and the site's own 404 page."""

    protocol_version = "HTTP/1.1"
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript",
        ".json": "application/json",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
        ".whl": "application/zip",
        ".woff2": "font/woff2",
    }

    coding = ""

    def send_head(self) -> Any:
        """Begin to send a file: packed, where it lies there packed and the browser takes it."""
        taken = {coding.partition(";")[0].strip() for coding in self.headers.get("Accept-Encoding", "").split(",")}
        path = self.path.partition("?")[0].partition("#")[0]
        if path.endswith("/"):
            path += "index.html"
        file = self.translate_path(path)
        at_hand = (coding for coding, suffix in PACKED.items() if coding in taken and Path(file + suffix).is_file())
        self.coding = next(at_hand, "")
        if self.coding:
            self.path = path + PACKED[self.coding]
        return super().send_head()

    def guess_type(self, path: Any) -> str:
        return super().guess_type(str(path).removesuffix(PACKED.get(self.coding, "")))

    def end_headers(self) -> None:
        if self.coding:
            self.send_header("Content-Encoding", self.coding)
            self.send_header("Vary", "Accept-Encoding")
        # Ask again each time (and mostly hear "not modified"): on one's own
        # machine the next build is never far away.
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory, "404.html")
        if code != 404 or not page.exists():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of what went well."""

    def log_error(self, format: str, *args: object) -> None:
        super().log_message(format, *args)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Tell of faults, but not of a reader who left before the answer was complete."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def server(folder: Path, port: int) -> Server:
    """A server of `folder` that listens; port 0 takes any free one (see `server_port`)."""
    return Server(("127.0.0.1", port), partial(Handler, directory=str(folder)))


@contextlib.contextmanager
def running(server: ThreadingHTTPServer) -> Iterator[str]:
    """Have a server serve beside whatever the block does; give its address, which ends in a slash."""
    with server:
        threading.Thread(target=server.serve_forever, args=[0.05], daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve a built site on this machine.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, default=8000)
    wanted = parser.parse_args()
    try:
        serving = server(wanted.folder, wanted.port)
    except (OSError, OverflowError) as error:
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            sys.exit(
                f"Port {wanted.port} is taken: stop what listens there, or choose another, "
                f"for instance 'make serve PORT={wanted.port + 1}'."
            )
        sys.exit(f"Cannot listen on port {wanted.port}: {error}. Choose another: 'make serve PORT=8080'.")
    print(f"Rulewalk is at http://127.0.0.1:{serving.server_port}/ (Ctrl-C stops it)", flush=True)
    try:
        serving.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
