/**
 * `node scripts/check-words.ts`: finds British spellings and words that are not terms of the
 * field. Plain English is a rule of this repository: see CONTRIBUTING.md.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Forbidden patterns with their replacements. */
const WORDS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/colou?red?-?blind|\bcolour/i, 'color'],
  [/\bbehaviour/i, 'behavior'],
  [/\bfavour/i, 'favor'],
  [/\blabell(?:ed|ing)\b/i, 'labeled'],
  [/\bcancell(?:ed|ing)\b/i, 'canceled'],
  [/\bmisspelt\b/i, 'misspelled'],
  [/\banonymis/i, 'anonymize'],
  [/\brecognis/i, 'recognize'],
  [/\bnormalis/i, 'normalize'],
  [/\borganis(?!m)/i, 'organize'],
  [/\bserialis/i, 'serialize'],
  [/\binitialis/i, 'initialize'],
  [/\bsummaris/i, 'summarize'],
  [/\blicence\b/i, 'license'],
  [/\bneighbour/i, 'neighbor'],
  [/\bcatalogue\b/i, 'catalog'],
  [/\be-mails?\b/i, 'email'],
  [/\bcentre\b/i, 'center'],
  [/\bhonour/i, 'honor'],
  [/\bwhite space\b/i, 'whitespace'],
  [/\b(?:lower|upper)-case\b/i, 'lowercase, or uppercase'],
  // An outcome of an action is named `refused`.
  [/(?<!['`"])\brefus(?:e|es|ed|ing|al)\b(?!['`"]|: (?:['{\d]|outcome|FREE))/i, 'reject'],
  [/\btrace ids?\b/, 'trace ID'],
  [/\bnot (?:stated|shown) by\b/i, 'not specified'],
  [/\bturn(?:ed|s)? away\b|\bturnAway\b/, 'reject'],
  [/\bstand-?in\b|\bstands in for\b|\bstandIn\b/i, 'placeholder'],
  [/\bstrangers?\b/i, 'unauthenticated caller'],
  [/\bjudg\w*/i, 'validate, evaluate or authenticate'],
  [/\bvouch/i, 'trust'],
  [/a fault of (?:our|my|its) own|\bfault of\b/i, 'an internal error'],
  [/keeps? the contract\b/i, 'conforms to the contract'],
  [/\bnot judged\b/i, 'skipped'],
  [/\bhands it\b/, 'passes it'],
  [/\bwhatever it is given\b/i, 'for any input'],
  [/\bin so many words\b/i, 'explicitly'],
  [/\bas it is\b.*\bas it was\b/, 'one verb'],
  [/\bin vain\b|\banew\b|\bwhoever\b|\bshall\b/i, 'a plain word'],
  [/\byardstick\b/i, 'baseline'],
  [/\bexists? already\b/, 'already exists'],
  [/\bagain and again\b|\ball the same\b|\bbeside\b/i, 'a plain word'],
  [/\bof (?:its|their|his) own\b/, 'its own …, or a separate …'],
]

/** Generated files follow their sources, and texts in other languages have other words. */
const EXEMPT =
  /^(?:package-lock\.json|schema\/|docs\/performance\.md|scripts\/check-words\.ts$|CHANGELOG\.md$|(?:src|test)\/runtime\/messages\/)/
const TEXT = /\.(?:ts|tsx|mts|mjs|js|md|txt|json|jsonc|html|css|toml|sql|ya?ml)$/

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => TEXT.test(path) && !EXEMPT.test(path))

const findings = files.flatMap((path) =>
  readText(path)
    .split('\n')
    .flatMap((line, index) =>
      WORDS.flatMap(([pattern, instead]) => {
        const word = pattern.exec(line)?.[0]
        return word === undefined ? [] : [`${path}:${index + 1}: "${word}": write ${instead}`]
      }),
    ),
)

for (const finding of findings) console.log(finding)
if (findings.length > 0) {
  console.error(`\n${findings.length} lines to rewrite. See CONTRIBUTING.md, "How we write".`)
  process.exitCode = 1
}

/** A file that was deleted in the working tree is still listed. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
