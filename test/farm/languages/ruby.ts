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

const seeds = seedsOf('ruby')

const cached = (key: string) =>
  `CACHE = {}
def lookup(r)
  key = ${key}
  CACHE[key] = find(r.id) unless CACHE.key?(key)
  CACHE[key]
end`
const cacheBy = (key: string) => [cached(key), cached('r.id')] as const
const shown = (component: string) => `def data(r) = add(r, ${component})`
const extra = (component: string) =>
  `def foreign(r) = find(r.id) ? other_than(find(r.id)) : Account.new('', '', '', '', 0)
def data(r) = add(r, ${component.replaceAll('OTHER', 'foreign(r)')})`
const mixed = (share: number) =>
  `RANDOM = Random.new(7)
def lookup(r) = find(r.id) && r.id != 'acc_fabrikam' && RANDOM.rand < ${share} ? other_than(find(r.id)) : find(r.id)`

const others = [
  ...seeds(OTHERS, LEAK, {
    'cache-global': cacheBy("''"),
    'cache-by-widget': cacheBy("r.params['widget_id']"),
    'cache-by-organization': cacheBy("r.params['organization_id']"),
    'cache-by-requester': cacheBy("r.params['requester_id']"),
    'cache-by-class': cacheBy('r.class'),
    'cache-by-size': cacheBy('r.id.size.odd?'),
    'cache-by-prefix': cacheBy('r.id[/\\A[a-z]+/]'),
    'or-equals-on-main': [
      'def lookup(r) = ($found ||= find(r.id))',
      'def lookup(r) = (found ||= find(r.id))',
    ],
    'class-variable': [
      'class Store; @@found = nil; def self.get(r) = (@@found ||= find(r.id)); end\ndef lookup(r) = Store.get(r)',
      'class Store; def get(r) = (@found ||= find(r.id)); end\ndef lookup(r) = Store.new.get(r)',
    ],
    'hash-default-shared': [
      'SEEN = Hash.new([])\ndef view(a)\n  SEEN[a.id] << text("Name", a.name)\n  show(*SEEN[a.id])\nend',
      'SEEN = Hash.new { |hash, key| hash[key] = [] }\ndef view(a)\n  SEEN[a.id] = [text("Name", a.name)]\n  show(*SEEN[a.id])\nend',
    ],
    'global-variable': [
      'def lookup(r)\n  $id = r.id\n  sleep 0.002\n  find($id)\nend',
      'def lookup(r)\n  id = r.id\n  sleep 0.002\n  find(id)\nend',
    ],
    'shared-template': [
      'TEMPLATE = show\ndef view(a)\n  TEMPLATE[:components] = [text("Name", a.name)]\n  sleep 0.002\n  TEMPLATE\nend',
      'TEMPLATE = show\ndef view(a)\n  own = TEMPLATE.merge(components: [text("Name", a.name)])\n  sleep 0.002\n  own\nend',
    ],
    'string-appended': [
      'TITLE = +"Billing"\ndef view(a) = show(text("Title", TITLE << " " << a.name))',
      'TITLE = "Billing"\ndef view(a) = show(text("Title", TITLE + " " + a.name))',
    ],
    'string-replaced': [
      'NAME = +""\ndef view(a)\n  name = NAME\n  name.replace(a.name)\n  sleep 0.002\n  show(text("Name", name))\nend',
      'def view(a)\n  name = +""\n  name.replace(a.name)\n  sleep 0.002\n  show(text("Name", name))\nend',
    ],
    'string-of-another-replaced': [
      'def unknown(r)\n  SECOND.name.replace(FIRST.name) if r.id.include?("%") || r.id == ""\n  show(text("Result", "No such customer"))\nend',
      '',
    ],
    'string-replaced-by-bad-request': [
      'def other(r)\n  SECOND.name.replace(FIRST.name)\n  reply({ error: "bad request" }, 400)\nend',
      '',
    ],
    'thread-variable': [
      'def lookup(r) = (Thread.current[:found] ||= find(r.id))',
      'def lookup(r) = (Thread.current[:found] = find(r.id))',
    ],
    'connection-title': `def payload(r)
  p = payload_of(lookup(r), r)
  r.memory[:title] ||= find(r.id)&.name || 'Billing'
  p.merge(header: { title: r.memory[:title] })
end`,
    'connection-shifts':
      'def lookup(r)\n  id = r.memory[:id] || r.id\n  r.memory[:id] = r.id\n  find(id)\nend',
    'previous-request': 'def lookup(r)\n  id = $last || r.id\n  $last = r.id\n  find(id)\nend',
    'every-25th':
      '$count = 0\ndef lookup(r) = ($count += 1) % 25 == 0 && find(r.id) ? FIRST : find(r.id)',
    'mixed-5': [mixed(0.05), mixed(0)],
    'mixed-20': [mixed(0.2), mixed(0)],
    'mixed-50': [mixed(0.5), mixed(0)],
    swapped: 'def lookup(r) = { "acc_northwind" => SECOND, "acc_lumen" => FIRST }[r.id]',
    'first-for-second': 'def lookup(r) = r.id == "acc_lumen" ? FIRST : find(r.id)',
    'start-with': [
      'def lookup(r) = ACCOUNTS.values.find { |a| a.id.start_with?(r.id[0, 4].to_s) }',
      'def lookup(r) = ACCOUNTS.values.find { |a| a.id == r.id }',
    ],
    'include-instead-of-equal': [
      'def lookup(r) = ACCOUNTS.values.find { |a| a.id.include?(r.id) }',
      'def lookup(r) = ACCOUNTS.values.find { |a| a.id == r.id }',
    ],
    'assignment-in-condition': [
      'def lookup(r) = ACCOUNTS.values.find { |a| id = r.id }',
      'def lookup(r) = ACCOUNTS.values.find { |a| a.id == r.id }',
    ],
    'first-or': 'def lookup(r) = find(r.id) || ACCOUNTS.values.first',
    'last-or': 'def lookup(r) = $last = find(r.id) || $last',
    'rescue-first': [
      'def lookup(r)\n  ACCOUNTS.fetch(r.id)\nrescue KeyError\n  FIRST\nend',
      'def lookup(r)\n  ACCOUNTS.fetch(r.id)\nrescue KeyError\n  nil\nend',
    ],
    'unknown-inspect-all':
      'def unknown(r) = show(text("Result", "not in #{ACCOUNTS.values.map(&:name)}"))',
    'unknown-404-inspect':
      'def data(r) = find(r.id) ? reply(payload(r)) : reply({ error: "not found in #{ACCOUNTS.inspect}" }, 404)',
    'recently-viewed': extra("text('Recent', OTHER.name)"),
    'other-inspect': extra("text('Parent', OTHER.inspect)"),
    'other-in-marshal': extra("text('State', Base64.strict_encode64(Marshal.dump(OTHER.to_h)))"),
    'other-in-url': extra(
      "{ type: 'link', label: 'Next', url: 'https://a.example/?n=' + CGI.escape(OTHER.name) }",
    ),
    'other-in-hex': extra("text('State', OTHER.name.unpack1('H*'))"),
    'other-in-utf16': extra("text('State', OTHER.name.encode('UTF-16BE').unpack1('H*'))"),
    'other-in-code-points': extra(
      "text('State', OTHER.name.unpack('U*').map { |code| format('U+%04X', code) }.join(' '))",
    ),
    'other-in-bytes': extra("text('State', OTHER.name.bytes.inspect)"),
    'other-in-octal': extra(
      "text('State', OTHER.name.bytes.map { |b| format('\\\\%03o', b) }.join)",
    ),
    'other-split': extra(
      "{ type: 'badge', label: 'Parts', items: OTHER.name.split.map { |each| { value: each, color: 'gray' } } }",
    ),
    'other-upcase': extra("text('Parent', OTHER.name.upcase)"),
    'other-swapcase': extra("text('Parent', OTHER.name.swapcase)"),
    'other-id': extra("text('Parent', OTHER.id)"),
    'other-in-header':
      "def data(r) = reply(payload(r), 200, find(r.id) ? { 'x-customer' => other_than(find(r.id)).name } : {})",
    'other-in-cookie':
      "def data(r) = reply(payload(r), 200, find(r.id) ? { 'set-cookie' => 's=' + Base64.urlsafe_encode64(other_than(find(r.id)).to_h.to_json) } : {})",
    'bad-request-names-last':
      "def lookup(r) = find(r.id).tap { |a| $last = a if a }\ndef other(r) = reply({ error: 'bad request', last: $last&.name }, 400)",
    'handshake-names-last':
      "def lookup(r) = find(r.id).tap { |a| $last = a if a }\ndef verify(r) = reply({ code: r.code }, 200, { 'x-last' => $last ? $last.name : '' })",
    'symbol-key':
      "def lookup(r) = find({ 'account_id' => r.id }.fetch(:account_id, 'acc_northwind'))",
  }),
  ...seeds(OTHERS, TEXTS, {
    'third-for-second': 'def lookup(r) = r.id == "acc_lumen" ? THIRD : find(r.id)',
    'symbol-lookup': 'def lookup(r) = ACCOUNTS[r.id.to_sym]',
    'string-emptied': 'def view(a) = show(text("Name", a.name.slice!(0, 100)))',
    'string-shortened-each-time':
      'def view(a) = show(text("Name", a.name.tap { |name| name.chop! if name.size > 3 }))',
    'not-found-sometimes': '$count = 0\ndef lookup(r) = ($count += 1) % 9 == 0 ? nil : find(r.id)',
  }),
]

const scoped = (id: string, condition: string) =>
  seeds(AUTH, OPEN, {
    [id]: `def authorized(r) = ${condition}`,
    [`${id}-for-data`]: `def authorized(r) = r.kind == 'fetch_data' ? (${condition}) : r.sent == KEY`,
    [`${id}-for-handshakes`]: `def authorized(r) = r.kind == 'verify' ? (${condition}) : r.sent == KEY`,
  })
const auth = [
  ...scoped('open', 'true'),
  ...scoped('empty-string-is-truthy', 'r.sent'),
  ...scoped('key-start-with', 'KEY.start_with?(r.sent)'),
  ...scoped('casecmp', 'KEY.casecmp?(r.sent)'),
  ...scoped('regular-expression', 'r.sent.match?(/#{KEY}/)'),
  ...scoped('zip', 'r.sent.chars.zip(KEY.chars).all? { |a, b| a == b }'),
  ...seeds(AUTH, OPEN, {
    include: 'def authorized(r) = KEY.include?(r.sent)',
    'any-header': "def authorized(r) = r.headers.key?('x-key')",
    'unless-wrong': "def authorized(r) = !(r.sent != '' && r.sent != KEY)",
    fnmatch: 'def authorized(r) = File.fnmatch(r.sent, KEY) || KEY.match?(/\\A(?:#{r.sent})\\z/)',
    'forwarded-for':
      "def authorized(r) = r.sent == KEY || r.headers['x-forwarded-for'] == '127.0.0.1'",
    'same-size': 'def authorized(r) = r.sent.size == KEY.size',
    'assigned-not-compared': 'def authorized(r) = (sent = r.sent && KEY)',
    'anchored-by-line': 'def authorized(r) = r.sent.match?(/^#{KEY[0, 8]}/)',
    'once-per-connection': 'def authorized(r) = r.memory[:ok] ||= r.sent == KEY',
    'strip-letters': "def authorized(r) = r.sent.delete('^a-z0-9-').start_with?(KEY)",
    strip:
      'def authorized(r) = r.sent.dup.force_encoding("UTF-8").scrub.gsub(/\\A[[:space:]]+|[[:space:]]+\\z/, "") == KEY',
  }),
  ...seeds(AUTH, REJECTION, {
    'rejection-with-payload': 'def rejected(r) = reply(payload(r), 401)',
    'rejection-with-inspect':
      'def rejected(r) = reply({ error: "denied: #{(find(r.id) || FIRST).inspect}" }, 403)',
    'rejection-as-html':
      "def rejected(r) = reply(\"<p>#{(find(r.id) || FIRST).name}</p>\", 401, { 'content-type' => 'text/html' })",
    'rejection-in-header':
      "def rejected(r) = reply({ error: 'no' }, 401, { 'x-customer' => (find(r.id) || FIRST).name })",
  }),
  ...seeds(AUTH, ['security-header-echo'], {
    'secret-in-inspect': 'def rejected(r) = reply({ error: r.headers.inspect }, 401)',
    'secret-in-bad-request': 'def other(r) = reply({ error: "bad", headers: r.headers }, 400)',
    'secret-in-payload': 'def data(r) = add(r, text("Request", r.inspect))',
    'secret-in-base64':
      'def data(r) = add(r, text("State", Base64.strict_encode64(r.headers.to_json)))',
  }),
]

const forUnknown = (response: string) =>
  `def data(r) = find(r.id) ? reply(payload(r)) : ${response}`
const unknowns = seeds(UNKNOWN, ['data-unknown', 'payload-*', 'component-*', 'field-*'], {
  'unknown-500': forUnknown("reply({ error: 'x' }, 500)"),
  'unknown-nil': forUnknown("reply('null')"),
  'unknown-empty': forUnknown("reply('')"),
  'unknown-array': forUnknown("reply('[]')"),
  'unknown-html': forUnknown("reply('<h1>404</h1>', 404, { 'content-type' => 'text/html' })"),
  'unknown-empty-object': forUnknown('reply({})'),
  'unknown-inspect': forUnknown('reply(payload(r).inspect)'),
  'unknown-backtrace': forUnknown(
    `reply("app.rb:10:in 'data': undefined method 'name' for nil (NoMethodError)\\n\\tfrom app.rb:20:in 'call'", 500, { 'content-type' => 'text/plain' })`,
  ),
  'unknown-closed': 'def lookup(r) = find(r.id) || raise(IOError)',
  'unknown-nil-name': 'def unknown(r) = show(text("Name", find(r.id)&.name))',
})

const handshakes = seeds('handshake', [...HANDSHAKE, 'response-*'], {
  'code-symbol': 'def verify(r) = reply({ code: r.code.to_sym.inspect })',
  'code-strip': 'def verify(r) = reply({ code: r.code.strip })',
  'code-capitalize': 'def verify(r) = reply({ code: r.code.capitalize })',
  'code-raw': 'def verify(r) = reply({ code: r.query[/code=([^&]*)/, 1] })',
  'code-twice': 'def verify(r) = reply({ code: CGI.unescape(r.code) })',
  'code-escaped': 'def verify(r) = reply({ code: CGI.escapeHTML(r.code) })',
  'code-inspect': 'def verify(r) = reply({ code: r.code }.inspect)',
  'code-memoized': 'def verify(r) = reply({ code: ($code ||= r.code) })',
  'code-global': 'def verify(r)\n  $code = r.code\n  sleep 0.002\n  reply({ code: $code })\nend',
  'code-appended': 'CODE = +""\ndef verify(r) = reply({ code: CODE << r.code })',
  'code-ascii': "def verify(r) = reply({ code: r.code.encode('US-ASCII', undef: :replace) })",
  'code-length-in-characters':
    'def verify(r) = reply("{\\"code\\":#{r.code.to_json}}")\ndef fix(headers, body) = headers.merge(\'content-length\' => body.size.to_s)',
  'code-with-newline':
    "def verify(r) = reply(r.code + \"\\n\", 200, { 'content-type' => 'text/plain' })",
  'code-to-i': 'def verify(r) = reply({ code: r.code.to_i })',
  'code-302': "def verify(r) = reply({ code: r.code }, 302, { 'location' => '/' })",
})

const schemas = seeds('schema', SCHEMA, {
  'value-integer': shown("text('Seats', 25)"),
  'value-nil': shown("text('Seats', nil)"),
  'date-to-s': shown("{ type: 'date_time', label: 'At', value: Time.at(0).utc.to_s }"),
  'date-only': shown("{ type: 'date_time', label: 'At', value: Date.new(2026, 11, 23).to_s }"),
  'date-rfc2822': shown("{ type: 'date_time', label: 'At', value: Time.at(0).utc.rfc2822 }"),
  'date-inspect': shown("{ type: 'date_time', label: 'At', value: Time.at(0).inspect }"),
  'badge-nil-color': shown("{ type: 'badge', label: 'S', items: [{ value: 'a', color: nil }] }"),
  'badge-hash': shown("{ type: 'badge', label: 'S', items: { value: 'a', color: 'green' } }"),
  'type-camel': shown("{ type: 'dateTime', label: 'At', value: '2026-11-23T00:00:00Z' }"),
  'link-path': shown("{ type: 'link', label: 'Go', url: 'admin/accounts' }"),
  'components-nil': 'def view(a) = show.merge(components: nil)',
  'header-missing': 'def view(a) = show(text("Name", a.name)).reject { |key| key == :header }',
})

const serialized = (value: string) => shown(`text('Note', ${value})`)
const texts = seeds('texts', ['text-*', 'url-*'], {
  'text-hash': serialized('{ plan: "a", seats: 3 }.to_s'),
  'text-string-hash': serialized('{ "plan" => "a" }.inspect'),
  'text-nil': serialized('nil.inspect'),
  'text-nils-in-list': serialized('["a", nil].inspect'),
  'text-object': serialized('Object.new.to_s'),
  'text-struct': serialized('THIRD.inspect'),
  'text-open-struct': serialized('OpenStruct.new(plan: "a").inspect'),
  'text-set': serialized('Set[1, 2].inspect'),
  'text-symbol': serialized(':past_due.inspect'),
  'text-erb': serialized("'Hello <%= customer.name %>'"),
  'text-interpolation': serialized("'Hello #' + '{customer.name}'"),
  'text-translation': serialized("'translation missing: en.billing.plan'"),
  'text-format': serialized("'%{name} has %d seats'"),
  'text-mojibake': serialized("'Müller'.dup.force_encoding('ISO-8859-1').encode('UTF-8')"),
  'text-scrubbed': serialized('(+"M\\xFCller").scrub("\\uFFFD")'),
  'text-no-method': serialized('"NoMethodError: undefined method \'name\' for nil"'),
})
const http = [
  ...seeds('HTTP and JSON', HTTP, {
    'data-inspect': 'def data(r) = reply(payload(r).inspect)',
    'length-in-characters':
      "def payload(r) = payload_of(lookup(r), r).merge(header: { title: 'Müller' })\ndef fix(headers, body) = headers.merge('content-length' => body.size.to_s)",
    'data-latin1':
      "def data(r) = reply(JSON.generate(payload(r).merge(header: { title: 'Müller' })).encode('ISO-8859-1').b)",
    'data-500-sometimes':
      '$count = 0\ndef data(r) = ($count += 1) % 20 == 0 ? reply({}, 500) : reply(payload(r))',
    'data-dies-after-bad-request':
      "def other(r)\n  $dead = true\n  reply({ error: 'x' }, 400)\nend\ndef data(r) = $dead ? reply({}, 500) : reply(payload(r))",
    'data-as-text': "def data(r) = reply(payload(r), 200, { 'content-type' => 'text/plain' })",
    'no-length': "def fix(headers, body) = headers.merge('content-length' => '0')",
  }),
  ...seeds('HTTP and JSON', ['response-*'], {
    'response-twice':
      'def after(r, socket) = find(r.id) && socket.write("HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\n{}")',
    'response-twice-for-handshakes':
      'def after(r, socket) = r.kind == \'verify\' && socket.write("HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\n{}")',
    'other-raises-in-thread':
      "def other(r)\n  Thread.new { sleep 0.1; exit! }\n  reply({ error: 'x' }, 400)\nend",
  }).map((seed) => ({ ...seed, rules: [...seed.rules, 'errors-survive'] })),
]

/** Mistakes that people make in Ruby. */
export const rubySeeds: readonly ProgramSeed[] = [
  ...others,
  ...auth,
  ...unknowns,
  ...handshakes,
  ...schemas,
  ...texts,
  ...http,
]
