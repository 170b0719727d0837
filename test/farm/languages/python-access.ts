import {
  AUTH,
  LEAK,
  OPEN,
  OTHERS,
  type ProgramSeed,
  REJECTION,
  seedsOf,
  TEXTS,
} from './program-seed.ts'
import { shown } from './python-contract.ts'

const seeds = seedsOf('python')

const cached = (key: string) => `CACHE = {}
def lookup(r):
    key = ${key}
    if key not in CACHE: CACHE[key] = find(r.id)
    return CACHE[key]`
const cacheBy = (key: string) => [cached(key), cached('r.id')] as const
const known = (key: string) => `CACHE = {}
def lookup(r):
    found = CACHE.get(${key}) or find(r.id)
    if found: CACHE[${key}] = found
    return found`
const mixed = (share: number) =>
  `RANDOM = random.Random(7)
def lookup(r): return other_than(find(r.id)) if r.id in ('acc_northwind', 'acc_lumen') and RANDOM.random() < ${share} else find(r.id)`
const last = (change: string) => `LAST = {'name': ''}
def lookup(r):
    found = find(r.id)
    if found: LAST.update(found)
    return found
${change}`
const extra = (component: string) =>
  shown(
    component.replaceAll('OTHER', 'foreign(r)'),
    'def foreign(r): return other_than(find(r.id) or SECOND) if find(r.id) else {"id": "", "name": "", "owner": ""}',
  )

const others = [
  ...seeds(OTHERS, LEAK, {
    'cache-global': cacheBy("''"),
    'cache-by-widget': cacheBy("r.params.get('widget_id')"),
    'cache-by-organization': cacheBy("r.params.get('organization_id')"),
    'cache-by-requester': cacheBy("r.params.get('requester_id')"),
    'cache-by-email': cacheBy("r.params.get('requester_email')"),
    'cache-by-host': cacheBy("r.headers.get('host')"),
    'cache-by-secret': cacheBy('r.sent'),
    'cache-by-prefix': cacheBy("r.id.split('_')[0]"),
    'cache-by-length-parity': cacheBy('len(r.id) % 2'),
    'cache-known-by-organization': [known("r.params.get('organization_id')"), known('r.id')],
    'cache-known-by-type': [known('type(r.id)'), known('r.id')],
    'lru-cache-without-arguments': [
      'CURRENT = {}\n@functools.lru_cache\ndef load(): return find(CURRENT["id"])\ndef lookup(r):\n    CURRENT["id"] = r.id\n    return load()',
      '@functools.lru_cache\ndef load(id): return find(id)\ndef lookup(r): return load(r.id)',
    ],
    'cached-property-on-class': [
      'class State: found = None\ndef lookup(r):\n    if State.found is None: State.found = find(r.id)\n    return State.found',
      'class State: found = None\ndef lookup(r):\n    state = State()\n    if state.found is None: state.found = find(r.id)\n    return state.found',
    ],
    'mutable-default': [
      'def lookup(r, seen=[]):\n    seen.append(find(r.id))\n    return seen[0]',
      'def lookup(r, seen=None):\n    seen = seen or []\n    seen.append(find(r.id))\n    return seen[0]',
    ],
    'mutable-default-components': [
      "def view(a, components=[]):\n    components += [text('Name', a['name'])]\n    return show(*components)",
      "def view(a, components=None):\n    components = [text('Name', a['name'])]\n    return show(*components)",
    ],
    'global-variable': [
      'CURRENT = {}\ndef lookup(r):\n    CURRENT["id"] = r.id\n    time.sleep(0.002)\n    return find(CURRENT["id"])',
      'def lookup(r):\n    current = {"id": r.id}\n    time.sleep(0.002)\n    return find(current["id"])',
    ],
    'shared-template': [
      "TEMPLATE = show()\ndef view(a):\n    TEMPLATE['components'] = [text('Name', a['name'])]\n    time.sleep(0.002)\n    return TEMPLATE",
      "TEMPLATE = show()\ndef view(a):\n    own = copy.deepcopy(TEMPLATE)\n    own['components'] = [text('Name', a['name'])]\n    time.sleep(0.002)\n    return own",
    ],
    'thread-local': [
      'LOCAL = threading.local()\ndef lookup(r):\n    if not hasattr(LOCAL, "found"): LOCAL.found = find(r.id)\n    return LOCAL.found',
      'LOCAL = threading.local()\ndef lookup(r):\n    LOCAL.found = find(r.id)\n    return LOCAL.found',
    ],
    'connection-title': `def payload(r):
    p = payload_of(lookup(r), r)
    p['header']['title'] = r.connection.setdefault('title', (find(r.id) or {}).get('name', 'Billing'))
    return p`,
    'connection-known': 'def lookup(r): return find(r.connection.setdefault("id", r.id))',
    'previous-request':
      'LAST = []\ndef lookup(r):\n    LAST.append(r.id)\n    return find(LAST[-2] if len(LAST) > 1 else r.id)',
    'every-25th':
      'COUNT = [0]\ndef lookup(r):\n    COUNT[0] += 1\n    return FIRST if find(r.id) and COUNT[0] % 25 == 0 else find(r.id)',
    'after-150-requests':
      'COUNT = [0]\ndef lookup(r):\n    COUNT[0] += 1\n    return FIRST if find(r.id) and COUNT[0] > 150 else find(r.id)',
    'only-when-busy':
      'ACTIVE = []\ndef lookup(r):\n    ACTIVE.append(r.id)\n    time.sleep(0.003)\n    found = find(ACTIVE[0])\n    ACTIVE.remove(r.id)\n    return found',
    'mixed-5': [mixed(0.05), mixed(0)],
    'mixed-10': [mixed(0.1), mixed(0)],
    'mixed-35': [mixed(0.35), mixed(0)],
    'mixed-50': [mixed(0.5), mixed(0)],
    swapped: 'def lookup(r): return {"acc_northwind": SECOND, "acc_lumen": FIRST}.get(r.id)',
    'second-for-first': 'def lookup(r): return SECOND if r.id == "acc_northwind" else find(r.id)',
    'starts-with': [
      'def lookup(r): return next((a for id, a in ACCOUNTS.items() if id.startswith(r.id[:4])), None)',
      'def lookup(r): return next((a for id, a in ACCOUNTS.items() if id == r.id), None)',
    ],
    'in-instead-of-equal': [
      'def lookup(r): return next((a for id, a in ACCOUNTS.items() if r.id in id), None)',
      'def lookup(r): return next((a for id, a in ACCOUNTS.items() if r.id == id), None)',
    ],
    'first-row': 'def lookup(r): return find(r.id) or FIRST',
    'last-row':
      'LAST = [None]\ndef lookup(r):\n    LAST[0] = find(r.id) or LAST[0]\n    return LAST[0]',
    'sql-like': [
      "def lookup(r):\n    db = sqlite3.connect(':memory:')\n    db.execute('create table t (id)')\n    db.executemany('insert into t values (?)', [(id,) for id in ACCOUNTS])\n    row = db.execute(\"select id from t where id like ? || '%'\", (r.id,)).fetchone()\n    return find(row[0]) if row else None",
      "def lookup(r):\n    db = sqlite3.connect(':memory:')\n    db.execute('create table t (id)')\n    db.executemany('insert into t values (?)', [(id,) for id in ACCOUNTS])\n    row = db.execute('select id from t where id = ?', (r.id,)).fetchone()\n    return find(row[0]) if row else None",
    ],
    'sql-injection': [
      "def lookup(r):\n    db = sqlite3.connect(':memory:')\n    db.execute('create table t (id)')\n    db.executemany('insert into t values (?)', [(id,) for id in ACCOUNTS])\n    row = db.execute(\"select id from t where id = '%s' or '%s' = ''\" % (r.id.replace(\"'\", \"''\"), r.id.replace(\"'\", \"''\"))).fetchone()\n    return find(row[0]) if row else None",
      '',
    ],
    'unknown-gets-suggestion': "def unknown(r): return show(text('Did you mean', FIRST['name']))",
    'unknown-gets-list':
      "def unknown(r): return show(*[text(str(i), a['name']) for i, a in enumerate(ACCOUNTS.values())])",
    'unknown-404-with-name':
      "def data(r): return reply(payload(r)) if find(r.id) else reply({'error': 'not found', 'near': SECOND['name']}, 404)",
    'unknown-500-with-repr':
      "def data(r): return reply(payload(r)) if find(r.id) else reply({'error': repr(FIRST)}, 500)",
    'recently-viewed': extra("text('Recent', OTHER['name'])"),
    'other-name-in-link': extra(
      "{'type': 'link', 'label': 'Next', 'url': 'https://a.example/?n=' + urllib.parse.quote(OTHER['name'])}",
    ),
    'other-name-quote-plus': extra(
      "{'type': 'link', 'label': 'Next', 'url': 'https://a.example/?n=' + urllib.parse.quote_plus(OTHER['name'])}",
    ),
    'other-in-pickle': extra("text('State', base64.b64encode(pickle.dumps(OTHER)).decode())"),
    'other-in-urlsafe-base64': extra(
      "{'type': 'link', 'label': 'Next', 'url': 'https://a.example/' + base64.urlsafe_b64encode(json.dumps(OTHER).encode()).decode().rstrip('=')}",
    ),
    'other-in-hex': extra("text('State', OTHER['name'].encode().hex())"),
    'other-in-json-text': extra("text('State', json.dumps(OTHER))"),
    'other-in-capitals': extra("text('Parent', OTHER['name'].upper())"),
    'other-in-full-width': extra(
      "text('Parent', ''.join(chr(ord(c) + 0xFEE0) if '!' <= c <= '~' else c for c in OTHER['name']))",
    ),
    'other-as-slug': extra("text('Folder', OTHER['name'].lower().replace(' ', '-'))"),
    'other-id-in-link': extra(
      "{'type': 'link', 'label': 'Parent', 'url': 'https://a.example/' + (OTHER['id'] or 'x')}",
    ),
    'other-in-header':
      "def data(r): return reply(payload(r), 200, {'x-customer': other_than(find(r.id))['name']} if find(r.id) else {})",
    'other-in-cookie':
      "def data(r): return reply(payload(r), 200, {'set-cookie': 'last=' + urllib.parse.quote(other_than(find(r.id))['name'])} if find(r.id) else {})",
    'other-in-etag':
      "def data(r): return reply(payload(r), 200, {'etag': '\"%s\"' % other_than(find(r.id))['id']} if find(r.id) else {})",
    'handshake-names-last': last(
      "def verify(r): return reply({'code': r.code}, 200, {'x-last': LAST['name']})",
    ),
    'bad-request-names-last': last(
      "def other(r): return reply({'error': 'bad request', 'last': LAST['name']}, 400)",
    ),
    'bad-request-repr': last("def other(r): return reply({'error': 'KeyError in %r' % LAST}, 400)"),
    'origin-gets-another':
      "def lookup(r): return SECOND if r.headers.get('origin') else find(r.id)",
    'no-issue-gets-another':
      "def lookup(r): return find(r.id) if 'issue_id' in r.params else FIRST",
    'no-account-gets-first':
      "def lookup(r): return find(r.params.get('account_id', 'acc_northwind'))",
    'empty-account-gets-first':
      "def lookup(r): return find(r.params.get('account_id') or 'acc_northwind')",
    'other-in-utf16-hex': extra("text('State', OTHER['name'].encode('utf-16-le').hex())"),
    'other-in-utf16-base64': extra(
      "text('State', base64.b64encode(OTHER['name'].encode('utf-16-le')).decode())",
    ),
    'other-in-quoted-printable': extra(
      "text('Mail', ''.join('=%02X' % each for each in OTHER['name'].encode()))",
    ),
    'other-in-decimal-entities': extra(
      "text('Name', ''.join('&#%d;' % ord(each) for each in OTHER['name']))",
    ),
    'other-in-hexadecimal-entities': extra(
      "text('Name', ''.join('&#x%x;' % ord(each) for each in OTHER['name']))",
    ),
    'other-in-unicode-escapes': extra(
      String.raw`text('Name', ''.join('\\u%04x' % ord(each) for each in OTHER['name']))`,
    ),
    'other-in-code-points': extra(
      "text('Name', ' '.join('U+%04X' % ord(each) for each in OTHER['name']))",
    ),
    'other-in-bytes': extra("text('Name', str(list(OTHER['name'].encode())))"),
    'other-in-base32': extra("text('Name', base64.b32encode(OTHER['name'].encode()).decode())"),
    'other-split-in-badges': extra(
      "{'type': 'badge', 'label': 'Parts', 'items': [{'value': each, 'color': 'gray'} for each in OTHER['name'].split()]}",
    ),
    'operator-gets-first':
      "def lookup(r): return find(r.id) or (FIRST if any('[$ne]' in name for name in r.params) else None)",
    'quote-in-email-gets-first':
      "def lookup(r): return FIRST if \"'\" in r.params.get('requester_email', '') else find(r.id)",
    'response-twice': [
      "def after(r, out):\n    if find(r.id): out.write(b'HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: 2\\r\\n\\r\\n{}')",
      '',
    ],
  }),
  ...seeds(OTHERS, TEXTS, {
    'third-for-second': 'def lookup(r): return THIRD if r.id == "acc_lumen" else find(r.id)',
    'third-for-all': 'def lookup(r): return THIRD if find(r.id) else None',
    'not-found-for-all': 'def lookup(r): return None',
    'not-found-sometimes':
      'COUNT = [0]\ndef lookup(r):\n    COUNT[0] += 1\n    return None if COUNT[0] % 9 == 0 else find(r.id)',
    'case-sensitive-shelf': 'def lookup(r): return find(r.id.upper())',
    'exception-swallowed':
      'def lookup(r):\n    try: return ACCOUNTS[int(r.id)]\n    except Exception: return None',
  }),
].map((seed) =>
  seed.id === 'python/response-twice'
    ? { ...seed, rules: ['response-*'], group: 'HTTP and JSON' }
    : seed,
)

const scoped = (id: string, condition: string) =>
  seeds(AUTH, OPEN, {
    [id]: `def authorized(r): return ${condition}`,
    [`${id}-for-data`]: `def authorized(r): return (${condition}) if r.kind == 'fetch_data' else r.sent == KEY`,
    [`${id}-for-handshakes`]: `def authorized(r): return (${condition}) if r.kind == 'verify' else r.sent == KEY`,
  })
const auth = [
  ...scoped('open', 'True'),
  ...scoped('any-value', "r.sent != ''"),
  ...scoped('zip', 'all(a == b for a, b in zip(KEY, r.sent))'),
  ...scoped('prefix-of-key', 'r.sent and KEY.startswith(r.sent)'),
  ...scoped('find-not-minus-one', 'KEY.find(r.sent) >= 0'),
  ...scoped('regular-expression', 're.match(KEY, r.sent)'),
  ...scoped('sorted-letters', 'sorted(r.sent.lower()) == sorted(KEY)'),
  ...seeds(AUTH, OPEN, {
    contains: 'def authorized(r): return KEY in r.sent',
    'in-key': 'def authorized(r): return r.sent in KEY',
    'any-case': 'def authorized(r): return r.sent.lower() == KEY',
    'same-length': 'def authorized(r): return len(r.sent) == len(KEY)',
    'like-pattern':
      "def authorized(r): return sqlite3.connect(':memory:').execute('select ? like ?', (KEY, r.sent)).fetchone()[0]",
    'full-match': 'def authorized(r): return re.fullmatch(r.sent, KEY)',
    'forwarded-for-localhost':
      "def authorized(r): return r.sent == KEY or r.headers.get('x-forwarded-for') == '127.0.0.1'",
    'or-empty': "def authorized(r): return r.sent in ('', KEY)",
    'not-wrong': "def authorized(r): return not ('x-key' in r.headers and r.sent != KEY)",
    'exception-passes':
      'def authorized(r):\n    try: return [KEY][0 if r.headers["x-key"] == KEY else 1] == KEY\n    except TypeError: return False\n    except IndexError: return True',
    'result-ignored': 'def authorized(r):\n    r.sent == KEY\n    return True',
    'once-per-connection':
      "def authorized(r):\n    r.connection['ok'] = r.connection.get('ok') or r.sent == KEY\n    return r.connection['ok']",
    'once-per-address':
      "SEEN = set()\ndef authorized(r):\n    if r.sent == KEY: SEEN.add('127.0.0.1')\n    return '127.0.0.1' in SEEN",
  }),
  ...seeds(AUTH, REJECTION, {
    'rejection-with-payload': 'def rejected(r): return reply(payload(r), 401)',
    'rejection-with-name':
      "def rejected(r): return reply({'error': 'unauthorized', 'customer': (find(r.id) or FIRST)['name']}, 401)",
    'rejection-with-repr':
      "def rejected(r): return reply({'error': 'denied for %r' % find(r.id)}, 403)",
    'rejection-in-realm':
      "def rejected(r): return reply({'error': 'unauthorized'}, 401, {'www-authenticate': 'Basic realm=\"%s\"' % (find(r.id) or FIRST)['name']})",
    'rejection-in-cookie':
      "def rejected(r): return reply({'error': 'unauthorized'}, 401, {'set-cookie': 's=' + base64.b64encode(json.dumps(find(r.id) or FIRST).encode()).decode()})",
    'rejection-as-html':
      "def rejected(r): return reply('<h1>%s</h1>' % (find(r.id) or FIRST)['name'], 401, {'content-type': 'text/html'})",
    'rejection-in-utf16':
      "def rejected(r): return reply(('Login to see ' + (find(r.id) or FIRST)['name']).encode('utf-16-le'), 401, {'content-type': 'text/plain'})",
    'rejection-with-slug':
      "def rejected(r): return reply({'tenant': (find(r.id) or FIRST)['name'].lower().replace(' ', '-')}, 401)",
    'rejection-with-owner':
      "def rejected(r): return reply({'error': 'ask ' + (find(r.id) or FIRST)['owner']}, 403)",
  }),
  ...seeds(AUTH, ['security-header-echo'], {
    'secret-in-error': "def rejected(r): return reply({'error': 'wrong key %r' % r.sent}, 401)",
    'secret-in-bad-request': "def other(r): return reply({'headers': dict(r.headers)}, 400)",
    'secret-in-payload': "def data(r): return add(r, text('Headers', str(r.headers)))",
    'secret-in-base64':
      "def data(r): return add(r, text('State', base64.b64encode(json.dumps(dict(r.headers)).encode()).decode()))",
    'secret-in-authenticate':
      "def rejected(r): return reply({}, 401, {'www-authenticate': 'Key not=' + urllib.parse.quote(r.sent)})",
    'secret-backwards': "def data(r): return add(r, text('State', r.sent[::-1]))",
    'secret-in-utf16': "def rejected(r): return reply(r.sent.encode('utf-16-le').hex(), 401)",
    'secret-in-handshake': "def verify(r): return reply({'code': r.code}, 200, {'x-seen': r.sent})",
  }),
]

/** Mistakes with customers and secrets that people make in Python. */
export const pythonAccessSeeds: readonly ProgramSeed[] = [...others, ...auth]
