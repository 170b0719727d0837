import { decodeBase64Json } from '../../../runtime/internal/base64-json.ts'

const TRACES: ReadonlyArray<readonly [language: string, pattern: RegExp]> = [
  [
    'JavaScript',
    /\bat (?:async )?(?:[^\n()]{1,120}\()?(?:file:\/\/|https?:\/\/|node:|webpack:|\/|[A-Za-z]:\\)[^\s()]{1,300}:\d+:\d+|\bat (?:async )?[\w.$<> ]{1,80} \([\w./-]{1,200}\.[cm]?[jt]sx?:\d+:\d+\)/,
  ],
  ['Python', /Traceback \(most recent call last\)|\bFile \\?"[^"\n]{1,300}\\?", line \d+, in /],
  [
    'Java',
    /\bat (?:[\w.]{1,80}\/)?[\w$.<>]{1,200}\((?:[\w$]{1,80}\.(?:java|kt|scala|groovy)(?::\d+)?|Unknown Source|Native Method)\)|\bException in thread "|\bCaused by: (?:[a-z]\w{0,40}\.){1,8}[A-Z]\w{0,80}(?:Error|Exception)\b/,
  ],
  [
    '.NET',
    /\bat [\w.`<>]{1,200}\([^)\n]{0,200}\) in [^\n]{1,300}:line \d+|--- End of (?:inner exception )?stack trace|\bat (?:[A-Z]\w{0,80}\.){2,8}[\w<>`]{1,80}\((?:[A-Z][\w`[\]<>]{0,60} \w{1,60}(?:, )?){1,10}\)|\bat (?:[A-Z]\w{0,80}\.){1,8}<\w{1,80}>\w{0,20}\.MoveNext\(\)|\bUnhandled exception\. |\bSystem\.(?:[A-Z]\w{0,40}\.){0,3}[A-Z]\w{0,60}Exception: /,
  ],
  [
    'PHP',
    /#\d+ [^\n]{1,300}\.php\(\d+\)|(?:Fatal error|Uncaught \w+)[^\n]{1,300} in [^\n]{1,300}\.php|\b(?:Warning|Notice|Deprecated|Parse error)\b[^\n]{1,300} in [^\n]{1,300}\.php(?:<\/b>)? on line/,
  ],
  ['Ruby', /\.rb:\d+:in [`'’]/],
  [
    'Go',
    /\bgoroutine \d+ \[[a-z\d ,]+\]:|\.go:\d+ \+0x[\da-f]+|^panic: (?:runtime error|interface conversion): /m,
  ],
  ['Perl', /\bat \S{1,300}\.(?:pl|pm|cgi|psgi|t) line \d+\b/],
  [
    'Rust',
    /\bpanicked at [^\n]{1,300}\.rs:\d+|^ +\d+: (?:0x[\da-f]+ - )?[\w<>: ]{1,200}::\w+|\bat \.?\/[^\n]{1,300}\.rs:\d+:\d+|\bcalled `(?:Option|Result)::/m,
  ],
  [
    'Erlang or Elixir',
    /\{file, ?\\?"[^"\n]{1,300}\.erl\\?"\}, ?\{line, ?\d+\}|\*\* \([A-Z][\w.]{1,80}\) |\b[\w/.-]{1,200}\.exs?:\d+: (?:anonymous fn\/\d+ in )?[A-Z:][\w.]{0,200}\.[\w?!]+\/\d/,
  ],
  ['Dart', /#\d+ +\S[^\n]{0,200} \((?:package|dart|file):[^\n]{1,300}\.dart:\d+/],
  [
    'Swift',
    /\bFatal error: [^\n]{0,200}: file [^\n]{1,300}\.swift, line \d+|\bat \/[^\n]{1,300}\.swift:\d+/,
  ],
  [
    'Lua',
    /\bstack traceback:|\b[\w/.-]{1,200}\.lua:\d+: in (?:function|main|local|method|upvalue)/,
  ],
  [
    'C or C++',
    /#\d+ +0x[\da-f]{6,16} in \S|\bterminate called after throwing an instance of|\(\+0x[\da-f]{2,16}\) \[0x[\da-f]{6,16}\]/,
  ],
  ['Haskell', /\bCallStack \(from HasCallStack\):/],
  ['OCaml', /\b(?:Raised|Called from|Re-raised)[^\n]{0,200} in file \\?"[^"\n]{1,300}\.ml/],
  ['Julia', /\bStacktrace:\s+\[1\] /],
  ['Clojure', /\bat [\w.]{1,200}\$[\w$]{1,200}\.invoke/],
]

/**
 * Matches a password in the address of a server: in a URL, and in the key-value
 * forms of drivers, clouds and environment variables.
 */
const CONNECTIONS: readonly RegExp[] = [
  /\b[a-z][\w+.-]{1,30}:\/\/[^/?#\s:@"'<>]{0,64}:[^/?#\s@"'<>]{1,200}@[\w[]/i,
  /\b(?:server|data source|host|addr(?:ess)?|dsn|driver)\s{0,3}=[^;\n"<>]{1,200};[^\n"<>]{0,300}\b(?:password|pwd)\s{0,3}=\s{0,3}[^;\s"<>]/i,
  /\b(?:password|pwd)\s{0,3}=\s{0,3}[^;\s"<>]{1,200};[^\n"<>]{0,300}\b(?:server|data source|host)\s{0,3}=/i,
  /\bhost=\S{1,200} [^\n"<>]{0,200}\bpassword=\S|\bpassword=\S{1,200} [^\n"<>]{0,200}\bhost=\S/i,
  /\bjdbc:\w{1,30}:[^\s"<>]{1,300}[?&;]password=[^&;\s]|\bjdbc:oracle:\w{1,10}:[^\s/@"<>]{1,64}\/[^\s@"<>]{1,200}@/i,
  /(?<![\w.-])[\w.-]{1,64}:[^\s@:/"'<>]{1,200}@(?:tcp|unix)\(/,
  /\b(?:SharedAccessKey|AccountKey)\s{0,3}=\s{0,3}[\w+/]{16}/,
  /(?<![a-z])(?:PASSWORD|PASSWD|SECRET_ACCESS_KEY)=(?!(?:true|false|null|none|\d{1,3})\b)[^\s"'<>*$%[{(]/,
]

/** Matches keys that only servers may have. Public keys and test keys may be shown. */
const KEYS =
  /\b(?:sk|rk)_live_\w{16}|\bgh[pousr]_\w{36}|\bgithub_pat_\w{40}|\bxox[abprs]-\d[\w-]{20}|-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY-----/

/** Matches hashes of passwords, and names of fields that only servers may have. */
const HASHES =
  /\$2[abxy]\$\d\d\$[./A-Za-z\d]{53}|\$argon2(?:id?|d)\$v=\d|\$[56]\$[^$\s]{1,40}\$[./A-Za-z\d]{40}/
const SECRET_FIELD =
  /^(?:\w*_)?(?:password_?hash|passwd|(?:totp|client|session|signing)_?secret|private_?key)$/i

/** Matches URLs to which everyone can post. The documentation of Slack shows one of zeros and Xs. */
const WEBHOOKS =
  /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/(?!T0{6}|T?X{6})\w{8,}\/\w{8,}\/\w{16}|\bdiscord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{16,20}\/[\w-]{40}|\.webhook\.office\.com\/webhookb2\/[\da-f-]{36}@|\.logic\.azure\.com(?::\d+)?\/(?:\S{1,80}\/)?workflows\/[\da-f]{32}\/\S{1,200}[?&]sig=/

/** Matches the payload of a JWT. */
const JWT = /\beyJ[\w-]{10,2000}\.(eyJ[\w-]{10,8000})/

/** Matches a card number of Visa, Mastercard or Discover in groups, and no part of an IBAN. */
const CARDS =
  /(?<![\w-]|\d |[A-Z]{2}\d\d [A-Z]{4} )(?:4\d{3}|5[1-5]\d\d|6011|65\d\d)([ -])\d{4}\1\d{4}\1\d{4}(?![ -]?\w)/g

/** Returns whether the last digit of a number is the check digit of a card (ISO/IEC 7812). */
function hasCheckDigit(number: string): boolean {
  const digits = number.replaceAll(/\D/g, '').split('').toReversed()
  const sum = digits.reduce((total, digit, at) => {
    const doubled = Number(digit) * (1 + (at % 2))
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** Finds the address of a server with a password, a key of a server, or a card number. */
export function findSecret(text: string, label: string): string | undefined {
  const plain = `${label}=${text}`.replaceAll(/\\+\//g, '/')
  if (CONNECTIONS.some((pattern) => pattern.test(plain))) {
    return 'the address of a server with a password'
  }
  if (KEYS.test(text)) return 'a secret key'
  if (HASHES.test(text)) return 'the hash of a password'
  if (SECRET_FIELD.test(label) && /^\S{6}/.test(text)) return 'a field with a secret'
  if (WEBHOOKS.test(plain)) return 'the URL of a webhook'
  const [, claims] = JWT.exec(text) ?? []
  const token = claims && decodeBase64Json(claims.replaceAll('-', '+').replaceAll('_', '/'))
  const shown = token === undefined ? text : `${text}\n${JSON.stringify(token)}`
  return shown.match(CARDS)?.some(hasCheckDigit) === true ? 'a card number' : undefined
}

/** Returns the language of a stack trace in a text, or `undefined` if there is none. */
export function findStackTrace(text: string): string | undefined {
  return TRACES.find(([, pattern]) => pattern.test(text))?.[0]
}
