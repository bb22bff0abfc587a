"""Receives Bursar's webhooks with nothing but Python's standard library.

The signature covers the bytes that were sent: never parse the body before it is verified.
Start: WEBHOOK_SECRET=whsec_… PORT=3000 python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
MOST_BYTES = 1_048_576
FIVE_MINUTES = 300
if not KEY:
    sys.exit("WEBHOOK_SECRET is not a signing secret")


def verified(headers, body):
    """Whether one of the signatures is ours, and the delivery is no older than five minutes."""
    sent_at = headers.get("webhook-timestamp", "")
    try:
        if abs(time.time() - int(sent_at)) > FIVE_MINUTES:
            return False
    except ValueError:
        return False
    signed = f"{headers.get('webhook-id', '')}.{sent_at}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any([hmac.compare_digest(expected, each) for each in given])  # in constant time


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(min(int(self.headers["content-length"]), MOST_BYTES))
        accepted = verified(self.headers, body)
        if accepted:
            event = json.loads(body)
            # Write the event down here, once per event["id"], and work on it after the answer.
            print(event["type"], event["id"], flush=True)
        self.send_response(204 if accepted else 400)
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
