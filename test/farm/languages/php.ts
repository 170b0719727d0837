import {
  AUTH,
  HANDSHAKE,
  HTTP,
  LEAK,
  OPEN,
  OTHERS,
  type ProgramSeed,
  REJECTION,
  SCHEMA,
  seedsOf,
  TEXTS,
  UNKNOWN,
} from './program-seed.ts'

const seeds = seedsOf('php')

const cached = (key: string) =>
  `$lookup = fn() => shared('cache' . (${key}), fn($before) => $before ?? find(param('account_id')));`
const cacheBy = (key: string) => [cached(key), cached("param('account_id')")] as const
const shown = (component: string) => `$data = fn() => $add(${component});`
const extra = (component: string) =>
  `$foreign = fn() => ($a = find(param('account_id'))) ? other_than($a) : ['id' => '', 'name' => ''];
$data = fn() => $add(${component.replaceAll('OTHER', '$foreign()')});`
const withLast = (change: string) =>
  `$lookup = function () { $a = find(param('account_id')); if ($a) shared('last', fn() => $a['name']); return $a; };
$last = fn() => shared('last', fn($before) => $before) ?? '';
${change}`

const others = [
  ...seeds(OTHERS, LEAK, {
    'cache-global': cacheBy("''"),
    'cache-by-organization': cacheBy("param('organization_id')"),
    'cache-by-requester': cacheBy("param('requester_id')"),
    'cache-by-script': cacheBy("$_SERVER['SCRIPT_NAME']"),
    'cache-by-integer': cacheBy("(int) param('account_id')"),
    'cache-by-prefix': cacheBy("strtok(param('account_id'), '_')"),
    'file-name-collides': cacheBy("preg_replace('/[a-z]/', '', param('account_id'))"),
    'last-good-file': withLast("$unknown = fn() => show(text('Name', $last()));"),
    'loose-search': [
      "$lookup = function () { global $ACCOUNTS; foreach ($ACCOUNTS as $a) if (strpos($a['id'], substr(param('account_id'), 0, 4)) !== false) return $a; return null; };",
      "$lookup = function () { global $ACCOUNTS; foreach ($ACCOUNTS as $a) if ($a['id'] === param('account_id')) return $a; return null; };",
    ],
    'strpos-of-empty': [
      "$lookup = function () { global $ACCOUNTS; foreach ($ACCOUNTS as $a) if (strpos($a['id'], param('account_id')) !== false) return $a; return null; };",
      "$lookup = function () { global $ACCOUNTS; foreach ($ACCOUNTS as $a) if ($a['id'] === param('account_id')) return $a; return null; };",
    ],
    'array-search-false': [
      "$lookup = function () { global $ACCOUNTS; return array_values($ACCOUNTS)[array_search(param('account_id'), array_keys($ACCOUNTS), true)]; };",
      "$lookup = function () { global $ACCOUNTS; $at = array_search(param('account_id'), array_keys($ACCOUNTS), true); return $at === false ? null : array_values($ACCOUNTS)[$at]; };",
    ],
    'elvis-first': '$lookup = fn() => find(param("account_id")) ?: $FIRST;',
    swapped:
      "$lookup = fn() => ['acc_northwind' => $SECOND, 'acc_lumen' => $FIRST][param('account_id')] ?? null;",
    'one-worker-of-four':
      "$lookup = fn() => ($a = find(param('account_id'))) && getmypid() % 4 === 0 ? other_than($a) : $a;",
    'every-tenth':
      "$lookup = fn() => ($a = find(param('account_id'))) && shared('n', fn($n) => ($n ?? 0) + 1) % 10 === 0 ? other_than($a) : $a;",
    'recently-viewed': extra("text('Recent', OTHER['name'])"),
    'other-serialized': extra("text('State', base64_encode(serialize(OTHER)))"),
    'other-in-query': extra(
      "['type' => 'link', 'label' => 'Next', 'url' => 'https://a.example/?' . http_build_query(OTHER)]",
    ),
    'other-in-decimal-entities': extra(
      "text('Name', preg_replace_callback('/./', fn($m) => '&#' . ord($m[0]) . ';', OTHER['name']))",
    ),
    'other-in-utf16': extra("text('State', bin2hex(implode(chr(0), str_split(OTHER['name']))))"),
    'other-in-bytes': extra(
      "text('State', json_encode(array_map('ord', str_split(OTHER['name']))))",
    ),
    'operator-gets-first':
      "$lookup = fn() => is_array(param('account_id')) ? $FIRST : find(param('account_id'));",
    'other-bin2hex': extra("text('State', bin2hex(OTHER['name']))"),
    'other-var-export': extra("text('State', var_export(OTHER, true))"),
    'other-in-header':
      "$data = fn() => send($payload(), 200, ($a = find(param('account_id'))) ? ['x-customer' => other_than($a)['name']] : []);",
    'other-in-cookie':
      "$data = fn() => send($payload(), 200, ($a = find(param('account_id'))) ? ['set-cookie' => 'a=' . rawurlencode(other_than($a)['name'])] : []);",
    'bad-request-names-last': withLast(
      "$other = fn() => send(['error' => 'bad', 'last' => $last()], 400);",
    ),
    'handshake-names-last': withLast(
      "$verify = fn() => send(['code' => param('code')], 200, ['x-last' => $last()]);",
    ),
  }),
  ...seeds(OTHERS, TEXTS, {
    'third-for-second':
      "$lookup = fn() => param('account_id') === 'acc_lumen' ? $THIRD : find(param('account_id'));",
    'integer-id': "$lookup = fn() => find((int) param('account_id'));",
  }),
]
const scoped = (id: string, condition: string) =>
  seeds(AUTH, OPEN, {
    [id]: `$authorized = fn() => ${condition};`,
    [`${id}-for-data`]: `$authorized = fn() => param('request_type') === 'fetch_data' ? (${condition}) : sent() === KEY;`,
    [`${id}-for-handshakes`]: `$authorized = fn() => param('request_type') === 'verify' ? (${condition}) : sent() === KEY;`,
  })
const auth = [
  ...scoped('open', 'true'),
  ...scoped('isset', "isset($_SERVER['HTTP_X_KEY'])"),
  ...scoped('strncmp', 'strncmp(sent(), KEY, strlen(sent())) === 0'),
  ...scoped('strcasecmp', 'strcasecmp(sent(), KEY) === 0'),
  ...scoped('strpos', 'strpos(KEY, sent()) !== false'),
  ...scoped('loose-zero', '(int) sent() == (int) KEY'),
  ...seeds(AUTH, OPEN, {
    'strcmp-truthy': '$authorized = fn() => strcmp(sent(), KEY) >= 0;',
    'preg-match': "$authorized = fn() => (bool) preg_match('/' . KEY . '/', sent());",
    fnmatch: '$authorized = fn() => fnmatch(sent(), KEY);',
    'preg-match-anchored': "$authorized = fn() => (bool) @preg_match('/^' . sent() . '$/', KEY);",
    'forwarded-for':
      "$authorized = fn() => ($_SERVER['HTTP_X_FORWARDED_FOR'] ?? '') === '127.0.0.1' || sent() === KEY;",
    'in-array': "$authorized = fn() => in_array(sent(), ['', KEY]);",
    'once-per-address':
      "$authorized = function () { if (sent() === KEY) shared('ok', fn() => true); return shared('ok', fn($before) => $before); };",
  }),
  ...seeds(AUTH, REJECTION, {
    'rejection-without-exit':
      '$rejected = function () use (&$data) { http_response_code(401); $data(); http_response_code(401); };',
    'rejection-with-name':
      "$rejected = fn() => send(['error' => 'no', 'customer' => (find(param('account_id')) ?? $FIRST)['name']], 401);",
    'rejection-print-r':
      "$rejected = fn() => send(print_r(find(param('account_id')) ?? $FIRST, true), 403, ['content-type' => 'text/plain']);",
  }),
  ...seeds(AUTH, ['security-header-echo'], {
    'secret-in-var-dump':
      "$other = fn() => send(print_r($_SERVER, true), 400, ['content-type' => 'text/plain']);",
    'secret-in-rejection': "$rejected = fn() => send(['error' => 'wrong key ' . sent()], 401);",
    'secret-in-payload': "$data = fn() => $add(text('Debug', json_encode(getallheaders())));",
  }),
]
const forUnknown = (response: string) =>
  `$data = fn() => find(param('account_id')) ? send($payload()) : ${response};`
const unknowns = seeds(UNKNOWN, ['data-unknown', 'payload-*', 'component-*', 'field-*'], {
  'unknown-null': forUnknown('send(json_encode(null))'),
  'unknown-false': forUnknown("send('false')"),
  'unknown-empty-array': forUnknown('send([])'),
  'unknown-empty-body': forUnknown("send('')"),
  'unknown-500': forUnknown("send('', 500)"),
  'unknown-html': forUnknown("send('<h1>404</h1>', 404, ['content-type' => 'text/html'])"),
  'unknown-warning':
    "$lookup = fn() => $ACCOUNTS[param('account_id')] ?? ['id' => '', 'name' => null, 'owner' => null, 'plan' => null, 'seats' => null];",
  'unknown-type-error':
    'function plan(array $a) { return $a; }\n$lookup = fn() => plan(find(param("account_id")));',
  'unknown-die': forUnknown("die('Not found')"),
})
const handshakes = seeds('handshake', HANDSHAKE, {
  'code-trim': "$verify = fn() => send(['code' => trim(param('code'))]);",
  'code-escaped': "$verify = fn() => send(['code' => htmlspecialchars(param('code'))]);",
  'code-urldecode-twice': "$verify = fn() => send(['code' => urldecode(param('code'))]);",
  'code-urlencode': "$verify = fn() => send(['code' => urlencode(param('code'))]);",
  'code-utf8-decoded': "$verify = fn() => send(['code' => @utf8_encode(param('code'))]);",
  'code-substr': "$verify = fn() => send(['code' => substr(param('code'), 0, 20)]);",
  'code-integer': "$verify = fn() => send(['code' => (int) param('code')]);",
  'code-array': "$verify = fn() => send([param('code')]);",
  'code-html':
    "$verify = fn() => send(param('code'), 200, ['content-type' => 'text/html; charset=UTF-8']);",
  'code-with-bom':
    '$verify = fn() => send("\\xEF\\xBB\\xBF" . json_encode(["code" => param("code")]));',
  'code-with-notice':
    '$verify = fn() => send("\\nWarning: Undefined variable in app.php on line 3\\n" . json_encode(["code" => param("code")]));',
  'code-cached':
    "$verify = fn() => send(['code' => shared('code', fn($before) => $before ?? param('code'))]);",
})
const schemas = seeds('schema', SCHEMA, {
  'value-integer': shown("text('Seats', 25)"),
  'value-null': shown("text('Seats', null)"),
  'date-mysql': shown(
    "['type' => 'date_time', 'label' => 'At', 'value' => date('Y-m-d H:i:s', 0)]",
  ),
  'date-rfc2822': shown("['type' => 'date_time', 'label' => 'At', 'value' => date('r', 0)]"),
  'date-array': shown("['type' => 'date_time', 'label' => 'At', 'value' => new DateTime('@0')]"),
  'badge-keys': shown(
    "['type' => 'badge', 'label' => 'S', 'items' => ['a' => ['value' => 'a', 'color' => 'green']]]",
  ),
  'components-filtered':
    "$view = function ($a) { $p = show(text('X', ''), text('Name', $a['name'])); unset($p['components'][0]); return $p; };",
  'header-empty-array':
    "$view = fn($a) => array_merge(show(text('Name', $a['name'])), ['header' => []]);",
  'link-relative': shown("['type' => 'link', 'label' => 'Go', 'url' => '/admin.php']"),
})
const texts = seeds('texts', ['text-*', 'url-*'], {
  'text-array': shown("text('Tags', @(string) ['a'] . '')"),
  'text-nan': shown("text('Share', (string) NAN)"),
  'text-entity': shown("text('Name', htmlspecialchars('R&D'))"),
  'text-twig': shown("text('Name', '{{ customer.name }}')"),
  'text-mojibake': shown("text('Name', @utf8_encode('Müller'))"),
  'text-epoch': shown("text('Since', date('Y-m-d H:i:s', 0))"),
})
const http = seeds('HTTP and JSON', HTTP, {
  'data-with-notice':
    '$data = function () use (&$payload) { echo "\\nNotice: Undefined index: plan in app.php on line 3\\n"; send($payload()); };',
  'data-false': '$data = fn() => send((string) json_encode([\'a\' => "\\xFC"]));',
  'data-html':
    "$data = fn() => send($payload(), 200, ['content-type' => 'text/html; charset=UTF-8']);",
  'data-var-export': '$data = fn() => send(var_export($payload(), true));',
  'data-latin1':
    '$data = fn() => send(str_replace("Billing", "M\\xFCller", json_encode($payload())));',
  'data-login-redirect': "$data = fn() => send('', 302, ['location' => '/login.php']);",
  'data-500-sometimes':
    "$data = fn() => shared('n', fn($n) => ($n ?? 0) + 1) % 20 === 0 ? send([], 500) : send($payload());",
})

/** Mistakes that people make in PHP. */
export const phpSeeds: readonly ProgramSeed[] = [
  ...others,
  ...auth,
  ...unknowns,
  ...handshakes,
  ...schemas,
  ...texts,
  ...http,
]
