const TRACES: ReadonlyArray<readonly [language: string, pattern: RegExp]> = [
  [
    'JavaScript',
    /\bat (?:async )?(?:[^\n()]{1,120}\()?(?:file:\/\/|node:|webpack:|\/|[A-Za-z]:\\)[^\s()]{1,300}:\d+:\d+/,
  ],
  ['Python', /Traceback \(most recent call last\)|\bFile \\?"[^"\n]{1,300}\\?", line \d+, in /],
  ['Java', /\bat [\w$.]{1,200}\([\w$]+\.(?:java|kt|scala):\d+\)/],
  ['.NET', /\bat [\w.`<>]{1,200}\([^)\n]{0,200}\) in [^\n]{1,300}:line \d+/],
  [
    'PHP',
    /#\d+ [^\n]{1,300}\.php\(\d+\)|(?:Fatal error|Uncaught \w+)[^\n]{1,300} in [^\n]{1,300}\.php/,
  ],
  ['Ruby', /\.rb:\d+:in [`'’]/],
  ['Go', /\bgoroutine \d+ \[[a-z ]+\]:/],
  ['Perl', /\bat \S{1,300}\.(?:pl|pm|cgi|psgi|t) line \d+\b/],
  ['Rust', /\bpanicked at [^\n]{1,300}\.rs:\d+|^ +\d+: (?:0x[\da-f]+ - )?[\w<>: ]{1,200}::\w+/m],
  [
    'Erlang or Elixir',
    /\{file, ?\\?"[^"\n]{1,300}\.erl\\?"\}, ?\{line, ?\d+\}|\*\* \([A-Z][\w.]{1,80}\) |\b[\w/.-]{1,200}\.exs?:\d+: [A-Z:][\w.]{0,200}\.[\w?!]+\/\d/,
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
  [
    '.NET',
    /--- End of (?:inner exception )?stack trace|\bat (?:[A-Z]\w{0,80}\.){2,8}[\w<>`]{1,80}\((?:[A-Z][\w`[\]<>]{0,60} \w{1,60}(?:, )?){1,10}\)/,
  ],
  ['Java', /\bCaused by: (?:[a-z]\w{0,40}\.){2,8}[A-Z]\w{0,80}(?:Error|Exception)\b/],
  ['Go', /^panic: (?:runtime error|interface conversion): /m],
]

/**
 * Matches a password in the address of a server: in a URL, and in the key-value
 * forms of ODBC, ADO.NET, JDBC and libpq.
 */
const CONNECTIONS: readonly RegExp[] = [
  /\b[a-z][\w+.-]{1,30}:\/\/[^/?#\s:@"'<>]{0,64}:[^/?#\s@"'<>]{1,200}@[\w[]/i,
  /\b(?:server|data source|host|addr(?:ess)?|dsn|driver)\s{0,3}=[^;\n"<>]{1,200};[^\n"<>]{0,300}\b(?:password|pwd)\s{0,3}=\s{0,3}[^;\s"<>]/i,
  /\b(?:password|pwd)\s{0,3}=\s{0,3}[^;\s"<>]{1,200};[^\n"<>]{0,300}\b(?:server|data source|host)\s{0,3}=/i,
  /\bhost=\S{1,200} [^\n"<>]{0,200}\bpassword=\S|\bpassword=\S{1,200} [^\n"<>]{0,200}\bhost=\S/i,
  /\bjdbc:\w{1,30}:[^\s"<>]{1,300}[?&;]password=[^&;\s]/i,
]

/** Returns whether a text contains the address of a server with a password. */
export function hasConnectionPassword(text: string): boolean {
  const plain = text.replaceAll(/\\+\//g, '/')
  return CONNECTIONS.some((pattern) => pattern.test(plain))
}

/** The languages whose stack traces are recognized. */
export const STACK_LANGUAGES = [...new Set(TRACES.map(([language]) => language))]

/** Returns the language of a stack trace in a text, or `undefined` if there is none. */
export function findStackTrace(text: string): string | undefined {
  return TRACES.find(([, pattern]) => pattern.test(text))?.[0]
}
