"""A web server on this machine, whose folders have directory indexes as nginx writes them."""

import contextlib
import functools
import http.server
import io
import threading
from pathlib import Path


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the files of a folder."""

    def list_directory(self, path):
        rows = []
        for entry in sorted(Path(path).iterdir()):
            name = entry.name + ("/" if entry.is_dir() else "")
            size = "-" if entry.is_dir() else entry.stat().st_size
            rows.append(f'<a href="{name}">{name}</a>  29-Nov-2026 05:00  {size}\n')
        title = f"Index of {self.path}"
        text = f"<html><head><title>{title}</title></head><body><h1>{title}</h1><hr><pre>{''.join(rows)}</pre></body></html>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        return io.BytesIO(text.encode())

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serve(folder):
    """Serves a folder, and returns its URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
