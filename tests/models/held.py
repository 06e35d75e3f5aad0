"""A server that streams as it is told, one piece at a time, and notices when nobody listens any more."""

import http.server
import json
import os
import queue
import select
import threading
import time

PATIENCE = 60 * float(os.environ.get("CLQ_TEST_PATIENCE", "1"))


class Held:
    """What is given to say() goes to the client at once; end() ends the reply. The client's requests are in `requests`."""

    def __init__(self):
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):  # pylint: disable=invalid-name
                outer.requests.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Connection", "close")
                self.end_headers()
                outer.serve(self)
                self.close_connection = True

            def log_message(self, *_):
                pass

        self.requests = queue.Queue()
        self.pieces = queue.Queue()
        self.closed = queue.Queue()  # when the client went away
        self.wake, self.waker = os.pipe()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/v1"

    def serve(self, handler):
        """Sends pieces until the reply is over, or until the client is gone."""
        while True:
            ready, _, _ = select.select([handler.connection, self.wake], [], [])
            if handler.connection in ready:
                self.closed.put(time.monotonic())
                return
            os.read(self.wake, 1)
            piece = self.pieces.get()
            handler.wfile.write(piece.encode())
            handler.wfile.flush()
            if piece.endswith("[DONE]\n\n"):
                return

    def send(self, text):
        self.pieces.put(text)
        os.write(self.waker, b".")

    def say(self, text):
        self.send("data: " + json.dumps({"choices": [{"index": 0, "delta": {"content": text}}]}) + "\n\n")

    def end(self):
        self.send('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')

    def request(self):
        """The next request of the client."""
        return self.requests.get(timeout=PATIENCE)

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
