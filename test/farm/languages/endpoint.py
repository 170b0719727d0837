# A conformant endpoint with the standard library. A seed replaces the line CHANGE.
import base64, collections, copy, datetime, decimal, functools, html, json, os, pickle, random, re, sqlite3, string, sys, threading, time, traceback, urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = 'sekret-0f9d2c71'
COMMON = {'content-type': 'application/json', 'x-content-type-options': 'nosniff', 'cache-control': 'no-store'}
ACCOUNTS = {
    id: {'id': id, 'name': name, 'owner': owner, 'plan': plan, 'seats': seats}
    for id, name, owner, plan, seats in [
        ('acc_northwind', 'Northwind Traders', 'Priya Natarajan', 'Business', 25),
        ('acc_lumen', 'Lumen Optics', 'Tomas Lindqvist', 'Starter', 4),
        ('acc_fabrikam', 'Fabrikam Industries', 'Mei Tanaka', 'Business', 70),
    ]
}
FIRST, SECOND, THIRD = ACCOUNTS.values()

class Received:
    def __init__(self, path, headers, connection):
        self.path, self.headers, self.connection = path, headers, connection
        self.query = urllib.parse.urlsplit(path).query
        self.params = dict(urllib.parse.parse_qsl(self.query, keep_blank_values=True))
        self.sent = headers.get('x-key') or ''
        self.id = self.params.get('account_id', '')
        self.code = self.params.get('code', '')
        self.kind = self.params.get('request_type', '')

def text(label, value): return {'type': 'text', 'label': label, 'value': value}
def show(*components): return {'version': '1.0.0', 'header': {'title': 'Billing'}, 'components': list(components)}
def find(id): return ACCOUNTS.get(id)
def other_than(account): return SECOND if account is FIRST else FIRST
def view(a): return show(text('Name', a['name']), text('Owner', a['owner']), text('Plan', a['plan']), text('Seats', str(a['seats'])))
def unknown(r): return show(text('Result', 'No such customer'))
def payload_of(a, r): return unknown(r) if a is None else view(a)
def lookup(r): return find(r.id)
def payload(r): return payload_of(lookup(r), r)
def encode(value): return value if isinstance(value, bytes) else (value if isinstance(value, str) else json.dumps(value)).encode()
def reply(value, status=200, headers={}): return status, {**COMMON, **headers}, encode(value)
def add(r, *components):
    p = payload(r)
    return reply({**p, 'components': p['components'] + list(components)})
def authorized(r): return r.sent == KEY
def rejected(r): return reply({'error': 'unauthorized'}, 401)
def data(r): return reply(payload(r))
def verify(r): return reply({'code': r.code})
def other(r): return reply({'error': 'bad request'}, 400)
def respond(r):
    if not authorized(r): return rejected(r)
    if r.kind == 'verify' and r.code != '': return verify(r)
    if r.kind == 'fetch_data': return data(r)
    return other(r)
def after(r, out): pass
def fix(headers, body): return {**headers, 'content-length': str(len(body))}

# CHANGE

class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    disable_nagle_algorithm = True
    def setup(self):
        super().setup()
        self.memory = {}
    def do_GET(self):
        r = Received(self.path, self.headers, self.memory)
        status, headers, body = respond(r)
        self.send_response_only(status)
        for name, value in fix(headers, body).items(): self.send_header(name, value)
        self._headers_buffer.append(b'\r\n')
        self.wfile.write(b''.join(self._headers_buffer) + body)
        self._headers_buffer = []
        after(r, self.wfile)
    def log_message(self, *args): pass

class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    def handle_error(self, *args): pass

server = Server(('127.0.0.1', 0), Handler)
print('http://127.0.0.1:%d/' % server.server_port, flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
server.serve_forever()
