import { HANDSHAKE, HTTP, type ProgramSeed, SCHEMA, seedsOf, UNKNOWN } from './program-seed.ts'

const seeds = seedsOf('python')

/** Adds a component to the data. */
export const shown = (component: string, more = '') =>
  `${more}\ndef data(r): return add(r, ${component})`
const forUnknown = (response: string) =>
  `def data(r): return reply(payload(r)) if find(r.id) else ${response}`
const unknowns = seeds(UNKNOWN, ['data-unknown', 'payload-*', 'component-*', 'field-*'], {
  'unknown-500': forUnknown("reply({'error': 'internal'}, 500)"),
  'unknown-traceback': forUnknown(
    "reply('Traceback (most recent call last):\\n  File \"/srv/app.py\", line 10, in data\\nKeyError: 1', 500, {'content-type': 'text/plain'})",
  ),
  'unknown-null': forUnknown("reply('null')"),
  'unknown-none': forUnknown("reply('None')"),
  'unknown-list': forUnknown("reply('[]')"),
  'unknown-empty-object': forUnknown('reply({})'),
  'unknown-empty': forUnknown("reply('')"),
  'unknown-html': forUnknown("reply('<h1>Not found</h1>', 404, {'content-type': 'text/html'})"),
  'unknown-text': forUnknown("reply('not found', 200, {'content-type': 'text/plain'})"),
  'unknown-redirect': forUnknown("reply('', 302, {'location': 'https://a.example/'})"),
  'unknown-204': forUnknown("reply('', 204)"),
  'unknown-404': forUnknown("reply({'detail': 'Not Found'}, 404)"),
  'unknown-422': forUnknown("reply({'detail': 'unknown'}, 422)"),
  'unknown-exception': 'def lookup(r): return ACCOUNTS[r.id]',
  'unknown-attribute-error': "def unknown(r): return show(text('Name', find(r.id)['name']))",
  'unknown-nan': forUnknown(
    "reply({'version': '1.0.0', 'header': {}, 'components': [text('A', float('nan'))]})",
  ),
})

const handshakes = [
  ...seeds('handshake', HANDSHAKE, {
    'code-as-list': "def verify(r): return reply({'code': urllib.parse.parse_qs(r.query)['code']})",
    'code-repr': "def verify(r): return reply({'code': repr(r.code)})",
    'code-bytes': "def verify(r): return reply({'code': str(r.code.encode())})",
    'code-stripped': "def verify(r): return reply({'code': r.code.strip()})",
    'code-lower': "def verify(r): return reply({'code': r.code.lower()})",
    'code-ascii':
      "def verify(r): return reply({'code': r.code.encode('ascii', 'ignore').decode()})",
    'code-not-decoded':
      "def verify(r): return reply({'code': re.search('code=([^&]*)', r.query)[1]})",
    'code-plus-kept':
      "def verify(r): return reply({'code': urllib.parse.unquote(re.search('code=([^&]*)', r.query)[1])})",
    'code-decoded-twice':
      "def verify(r): return reply({'code': urllib.parse.unquote_plus(r.code)})",
    'code-escaped': "def verify(r): return reply({'code': html.escape(r.code)})",
    'code-dumped-twice': "def verify(r): return reply(json.dumps(json.dumps({'code': r.code})))",
    'code-single-quotes': "def verify(r): return reply(str({'code': r.code}))",
    'code-template': 'def verify(r): return reply(\'{"code": "%s"}\' % r.code)',
    'code-cached':
      "CODES = []\ndef verify(r):\n    CODES.append(r.code)\n    return reply({'code': CODES[0]})",
    'code-global':
      "STATE = {}\ndef verify(r):\n    STATE['code'] = r.code\n    time.sleep(0.002)\n    return reply(STATE)",
    'code-as-html': "def verify(r): return reply(r.code, 200, {'content-type': 'text/html'})",
    'code-with-bom':
      "def verify(r): return reply(json.dumps({'code': r.code}).encode('utf-8-sig'))",
    'code-utf16': "def verify(r): return reply(json.dumps({'code': r.code}).encode('utf-16'))",
    'code-latin1':
      "def verify(r): return reply(json.dumps({'code': r.code}, ensure_ascii=False).encode('latin-1', 'replace'))",
    'code-with-newline':
      "def verify(r): return reply(r.code + '\\n', 200, {'content-type': 'text/plain'})",
    'code-extra-field': "def verify(r): return reply({'code': r.code, 'ok': True})",
    'code-201': "def verify(r): return reply({'code': r.code}, 201)",
    'code-truncated': "def verify(r): return reply({'code': r.code[:32]})",
    'code-sometimes-500':
      "COUNT = [0]\ndef verify(r):\n    COUNT[0] += 1\n    return reply({'code': r.code}) if COUNT[0] % 4 else reply({}, 500)",
  }),
]

const schemas = seeds('schema', SCHEMA, {
  'value-number': shown("text('Seats', 25)"),
  'value-none': shown("text('Seats', None)"),
  'value-bool': shown("text('Active', True)"),
  'value-tuple': shown("text('Tags', ('a', 'b'))"),
  'label-missing': shown("{'type': 'text', 'value': 'x'}"),
  'type-missing': shown("{'label': 'a', 'value': 'x'}"),
  'type-unknown': shown("{'type': 'chart', 'label': 'a'}"),
  'date-naive': shown(
    "{'type': 'date_time', 'label': 'At', 'value': datetime.datetime(2026, 11, 23).isoformat()}",
  ),
  'date-only': shown(
    "{'type': 'date_time', 'label': 'At', 'value': str(datetime.date(2026, 11, 23))}",
  ),
  'date-ctime': shown("{'type': 'date_time', 'label': 'At', 'value': time.ctime(0)}"),
  'date-timestamp': shown("{'type': 'date_time', 'label': 'At', 'value': time.time()}"),
  'date-space': shown(
    "{'type': 'date_time', 'label': 'At', 'value': str(datetime.datetime(2026, 11, 23))}",
  ),
  'badge-color': shown(
    "{'type': 'badge', 'label': 'S', 'items': [{'value': 'a', 'color': 'amber'}]}",
  ),
  'badge-string': shown("{'type': 'badge', 'label': 'S', 'items': 'Active'}"),
  'link-relative': shown("{'type': 'link', 'label': 'Go', 'url': '/admin'}"),
  'link-none': shown("{'type': 'link', 'label': 'Go', 'url': None}"),
  'button-submit': shown(
    "{'type': 'button', 'label': 'Go', 'button_type': 'submit', 'url': 'https://a.example/'}",
  ),
  'card-in-card': shown("{'type': 'card', 'components': [{'type': 'card', 'components': []}]}"),
  'header-string': "def view(a): return {**show(text('Name', a['name'])), 'header': 'Billing'}",
  'version-number': "def view(a): return {**show(text('Name', a['name'])), 'version': 1.0}",
  'components-object':
    "def view(a): return {**show(), 'components': {'a': text('Name', a['name'])}}",
  'components-none': "def view(a): return {**show(), 'components': None}",
})

const serialized = (value: string) => shown(`text('Note', ${value})`)
const texts = seeds('texts', ['text-*', 'url-*'], {
  'text-none': serialized('str(None)'),
  'text-nan': serialized("str(float('nan'))"),
  'text-infinity': serialized("str(float('inf'))"),
  'text-dict': serialized('str({"plan": "a", "seats": 3})'),
  'text-list': serialized('str(["a", "b"])'),
  'text-tuple': serialized('str(("a", None))'),
  'text-bytes': serialized('str(b"Business")'),
  'text-decimal': serialized('repr(decimal.Decimal("9.50"))'),
  'text-datetime': serialized('repr(datetime.datetime(2026, 11, 23))'),
  'text-uuid': serialized("repr(__import__('uuid').UUID(int=7))"),
  'text-generator': serialized('str(order for order in [])'),
  'text-enum': serialized("repr(__import__('enum').Enum('Plan', ['PRO']).PRO)"),
  'text-data-class': serialized(
    "repr(__import__('dataclasses').make_dataclass('Plan', ['name'])('Pro'))",
  ),
  'text-object': serialized('str(object())'),
  'text-class': serialized('str(dict)'),
  'text-function': serialized('str(print)'),
  'text-ordered-dict': serialized('str(collections.OrderedDict(a=1))'),
  'text-f-string': serialized('"{account.name} has {seats} seats"'),
  'text-percent-s': serialized('"%(name)s has %d seats"'),
  'text-jinja': serialized('"Hello {{ customer.name }}"'),
  'text-mojibake': serialized('"Müller".encode().decode("latin-1")'),
  'text-replacement': serialized('b"M\\xfcller".decode("utf-8", "replace")'),
  'text-traceback': serialized(
    '"Traceback (most recent call last):\\n  File \\"a.py\\", line 3, in f\\nKeyError: 1"',
  ),
  'text-html': serialized('"<b>Business</b>"'),
  'link-password': shown(
    "{'type': 'link', 'label': 'Go', 'url': 'https://admin:hunter2@a.example/'}",
  ),
  'link-token': shown(
    "{'type': 'link', 'label': 'Go', 'url': 'https://a.example/?token=abcdefghijklmnop'}",
  ),
})

const http = seeds('HTTP and JSON', HTTP, {
  'json-nan':
    "def data(r):\n    p = payload(r)\n    p['components'][0]['value'] = float('nan')\n    return reply(p)",
  'json-single-quotes': 'def data(r): return reply(str(payload(r)))',
  'json-trailing-comma': "def data(r): return reply(json.dumps(payload(r))[:-1] + ',}')",
  'json-twice': 'def data(r): return reply(json.dumps(json.dumps(payload(r))))',
  'json-two-documents': 'def data(r): return reply(json.dumps(payload(r)) * 2)',
  'json-with-bom': "def data(r): return reply(json.dumps(payload(r)).encode('utf-8-sig'))",
  'json-latin1':
    "def data(r):\n    p = payload(r)\n    p['header']['title'] = 'Müller'\n    return reply(json.dumps(p, ensure_ascii=False).encode('latin-1'))",
  'json-list': 'def data(r): return reply([payload(r)])',
  'length-too-long':
    "def fix(headers, body): return {**headers, 'content-length': str(len(body) + 5)}",
  'length-too-short':
    "def fix(headers, body): return {**headers, 'content-length': str(len(body) - 5)}",
  'gzip-claimed': "def data(r): return reply(payload(r), 200, {'content-encoding': 'gzip'})",
  'data-as-html': "def data(r): return reply(payload(r), 200, {'content-type': 'text/html'})",
  'data-201': 'def data(r): return reply(payload(r), 201)',
  'data-redirect': "def data(r): return reply('', 302, {'location': '/login'})",
  'data-too-large':
    "def data(r): return add(r, *[text('Note %d' % i, 'x' * 1000) for i in range(1200)])",
  'data-sometimes-500':
    'COUNT = [0]\ndef data(r):\n    COUNT[0] += 1\n    return reply(payload(r)) if COUNT[0] % 20 else reply({}, 500)',
  'data-sometimes-closed':
    'COUNT = [0]\ndef data(r):\n    COUNT[0] += 1\n    if COUNT[0] % 20 == 0: raise ConnectionAbortedError\n    return reply(payload(r))',
  'data-dies-after-bad-request':
    "STATE = {}\ndef other(r):\n    STATE['dead'] = 1\n    return reply({'error': 'bad request'}, 400)\ndef data(r): return reply({}, 500) if STATE else reply(payload(r))",
})
const errors = [
  ...seeds('errors and parameters', ['errors-*', 'data-*', 'response-*'], {
    'other-traceback':
      "def other(r): return reply('Traceback (most recent call last):\\n  File \"/srv/app.py\", line 10, in data\\nKeyError: 1', 400, {'content-type': 'text/plain'})",
    'other-exits': 'def other(r): os._exit(1)',
    'other-exits-later':
      "def other(r):\n    threading.Timer(0.1, os._exit, [1]).start()\n    return reply({'error': 'bad request'}, 400)",
    'other-500': "def other(r): return reply({'error': 'KeyError'}, 500)",
    'other-is-data': 'def other(r): return data(r)',
    'empty-code-echoed':
      "def other(r): return verify(r) if r.kind == 'verify' else reply({'error': 'bad request'}, 400)",
    'other-raises': "def other(r): raise KeyError('request_type')",
    'other-html': "def other(r): return reply('<h1>400</h1>', 400, {'content-type': 'text/html'})",
  }),
  ...seeds('errors and parameters', ['parameters-*', 'future-*', 'errors-*'], {
    'no-account-raises': "def lookup(r): return find(r.params['account_id'])",
    'no-issue-raises': "def lookup(r): return find(r.id) if r.params['issue_id'] else None",
    'no-requester-raises': "def lookup(r): return find(r.id) if r.params['requester_id'] else None",
    'email-with-plus-raises':
      "def lookup(r): return find(r.id) if '+' not in r.params.get('requester_email', '') else 1 / 0",
    'ids-not-ascii-raise': "def lookup(r): return find(r.id.encode('ascii').decode())",
    'order-matters':
      "def lookup(r): return find(r.id) if r.query.startswith('request_type') else 1 / 0",
    'extra-parameter-rejected':
      "def data(r): return reply(payload(r)) if len(r.params) < 9 else reply({'error': 'unexpected'}, 400)",
  }),
]

/** Mistakes with responses that people make in Python. */
export const pythonContractSeeds: readonly ProgramSeed[] = [
  ...unknowns,
  ...handshakes,
  ...schemas,
  ...texts,
  ...http,
  ...errors,
]
