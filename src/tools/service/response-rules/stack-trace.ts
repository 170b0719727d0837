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
  ['Rust', /\bpanicked at [^\n]{1,300}\.rs:\d+/],
]

/** Returns the language of a stack trace in a text, or `undefined` if there is none. */
export function findStackTrace(text: string): string | undefined {
  return TRACES.find(([, pattern]) => pattern.test(text))?.[0]
}
