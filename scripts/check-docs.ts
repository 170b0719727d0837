import { readFileSync } from 'node:fs'
import { CHECK_KINDS } from '../src/tools/check/options.ts'
import { VERDICTS } from '../src/tools/check/report/report.ts'
import FORMS from '../test/tools/check/searched-forms.json' with { type: 'json' }
import { ENCODINGS, KEYS } from '../test/tools/check/encodings.ts'
import { GROUPS, RULES } from '../src/tools/check/rules/index.ts'
import type { CheckRule } from '../src/tools/check/rules/rule.ts'
import { MISSES } from '../test/farm/misses.ts'
import type { FarmRecord, GroupRecord, MixupRecord } from '../test/farm/record.ts'

type Group = CheckRule['group']

/** The subject of each page, as its title and in its first sentence. */
const SUBJECTS: Readonly<Record<Group, readonly [title: string, sentence: string]>> = {
  reachability: ['connection', 'the connection and the HTTP response itself'],
  handshake: ['handshake', 'the response to a handshake'],
  data: ['data fetch', 'the response to a data fetch, except for its payload'],
  payload: ['payload', 'the fields of the payload itself'],
  components: ['components', 'components and their fields'],
  parameters: ['parameters', 'the parameters of a request, including those of later versions'],
  errors: ['errors', 'requests that the endpoint must reject'],
  authentication: ['authentication', 'requests without the secret'],
  security: ['security', 'headers, caches and customers that must not be mixed up'],
  latency: ['latency', 'response times'],
}

/** Renders the pages of docs/checks, by file name: one for each group of rules. */
export function renderCheckDocs(): ReadonlyMap<string, string> {
  return new Map([
    ['README.md', indexPage()],
    ...GROUPS.map((group) => [`${group}.md`, groupPage(group)] as const),
  ])
}

const INTRODUCTION = `# Check rules

\`npx sidecard check <url>\` checks an endpoint, in any language and on any host. It only sends GET requests, and does not follow redirects. Some of its requests are malformed: in production, use \`--profile production\`. [Check in CI and in production](../guides/checking.md) shows complete commands.

Each rule has an ID that never changes, and a level:

- **MUST**: required by the contract. A violation fails the run. Some go beyond the contract, because a violation is always harmful: a stack trace, a URL that runs code.
- **SHOULD**: recommended. A violation is a warning.
- **ASSUMED**: not specified by the contract. A violation is a warning, except where the rule says more. An authentication rule fails the run with \`--expect-auth\`, or if only some unauthenticated requests are rejected.

Advice never fails a run, not even with \`--strict\`, which turns other warnings into failures.

## Verdicts

${Object.entries(VERDICTS)
  .map(([verdict, { exitCode, meaning }]) => `- \`${verdict}\`, exit code ${exitCode}: ${meaning}.`)
  .join('\n')}

With \`--allow-unproven\`, \`not_proven\` exits with 0 if a rule was evaluated and none failed. [Exit codes](../cli.md#exit-codes) lists the others. A run of selected rules (\`--only\`, \`--skip\`) only covers these rules.

Isolation is proven only by the texts of at least two customers: \`--param account_id=… --shows '…'\` for each. If a rule about harm could not be evaluated, the run is not proven, even if a baseline lists the reason.

The JSON report follows [a JSON Schema](../../schema/check-report.json), in the package \`sidecard/schema/check-report.json\`.

## Rules

\`npx sidecard check --explain <id>\` shows a rule in the terminal, and \`--only <id>\` checks it alone.
`

/** The score of `node test/farm/run.ts`, from its record. */
function score(): string {
  const { killed, silent, dead, ...record } = readRecord<FarmRecord>('record.json')
  const groups = Object.entries(record.groups)
  const sum = (count: (row: GroupRecord) => number) =>
    groups.reduce((total, [, row]) => total + count(row), 0)
  const all = sum(({ seeds }) => seeds)
  const advised = sum((row) => row.advised.length)
  const missed = groups.flatMap(([, row]) => row.missed)
  const lines = groups.map(([group, row]) => {
    const found = row.seeds - row.advised.length - row.missed.length
    return `- ${group}: ${found}, ${row.advised.length}, ${row.missed.length}`
  })
  const reasons = Array.from(
    Map.groupBy(missed, (id) => MISSES[id] ?? 'no reason is known'),
    ([reason, ids]) => `- ${ids.map((id) => `\`${id}\``).join(', ')}: ${reason}`,
  )
  return `## What the checker finds

\`node test/farm/run.ts\` checks ${all} endpoints with one defect each, written with Node, Python, Ruby, PHP and Go. ${all - advised - missed.length} fail the run because of the right rule, ${advised} get a warning, and ${missed.length} are missed. Each defect has a conformant twin, which passes. The defects by area, as found, found with a warning, and missed:

${lines.join('\n')}

The missed defects:

${reasons.join('\n')}

Each rule was removed in turn. How many defects are then missed, or get only a warning (\`killed\`), the rules that report no defect (\`silent\`), and those whose defects other rules find as well (\`dead\`):

\`\`\`text
killed: ${Object.entries(killed)
    .map(([id, count]) => `${id} ${count}`)
    .join(', ')}
silent: ${silent.join(', ') || 'none'}
dead: ${dead.join(', ') || 'none'}
\`\`\`

The authors of the rules also wrote the defects. Others wrote 444 more in Perl, Java and Go: 210 of them passed without a warning before the newest rules, and 151 still do. Connections over TLS, proxies and CDNs were not measured.

${mixupSentences()}

## What is searched

Each response is searched in its reason phrase, headers, trailers and body. These forms are tested. Compressed and encrypted texts are not recognized.

\`\`\`text
${searchedForms()}
\`\`\`
`
}

/** The names of the forms that test/tools/check/searched-forms.test.ts tests. */
function searchedForms(): string {
  const names = (forms: object) => Object.keys(forms).join(', ')
  return [
    `stack traces and queries: ${names(FORMS.stacks)}`,
    `errors of servers: ${names(FORMS.internals)}`,
    `internals in headers: ${names(FORMS.hosts)}`,
    'personal data: passwords, social security numbers',
    `passwords in addresses: ${names(FORMS.passwords)}`,
    `keys: ${names(KEYS)}`,
    `values printed by mistake: ${names(FORMS.printed)}`,
    `texts of other customers: ${names(ENCODINGS)}`,
    `headers of shared caches: ${names(FORMS.caches)}`,
  ].join('\n')
}

/** The result of `node test/farm/measure-mixups.ts`, from its record. */
function mixupSentences(): string {
  const { mixups, requests } = readRecord<MixupRecord>('mixups.json')
  const percent = (share: number) => `${Number((share * 100).toFixed(1))} %`
  const rates = mixups.map(
    ({ share, runs, found, atLeast }, index) =>
      `A mix-up of ${percent(share)} of the responses${index === 0 ? ' to one of two customers' : ''} was found in ${found} of ${runs} runs: at least ${percent(atLeast)} (confidence 95 %).`,
  )
  return `${rates.join(' ')} By default, a check with two customers sends ${requests} requests, at least ${CHECK_KINDS.isolationSamples.fallback} of them with the secret for each customer. \`--isolation-samples\` changes the number.`
}

function readRecord<Content>(name: string): Content {
  const url = new URL(`../test/farm/${name}`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')) as Content
}

function indexPage(): string {
  const groups = GROUPS.map((group) => {
    const rules = RULES.filter((rule) => rule.group === group)
    const links = rules.map(({ id }) => `[${id}](${group}.md#${id})`)
    return `- [**${capitalize(SUBJECTS[group][0])}**](${group}.md): ${links.join(', ')}`
  })
  return `${INTRODUCTION}\n${groups.join('\n')}\n\n${score()}`
}

const CONTRACT = readFileSync(new URL('../docs/contract.md', import.meta.url), 'utf8')

/** The heading of docs/contract.md that has this anchor. */
function headingOf(anchor: string): string {
  const headings = [...CONTRACT.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text)
  const heading = headings.find((text) => text.toLowerCase().replaceAll(' ', '-') === anchor)
  if (heading === undefined) throw new Error(`docs/contract.md has no heading #${anchor}.`)
  return heading
}

function groupPage(group: Group): string {
  const [title, sentence] = SUBJECTS[group]
  const rules = RULES.filter((rule) => rule.group === group)
  const anchors = [...new Set(rules.map(({ contract }) => contract.anchor))]
  const links = anchors.map((anchor) => `[${headingOf(anchor)}](../contract.md#${anchor})`)
  return `# Rules: ${title}\n\nRules about ${sentence}. See ${links.join(', ')} in the contract, and [the levels](README.md).\n\n${rules.map((rule) => describe(rule, rules)).join('\n')}`
}

/** Describes a rule. A reason that an earlier rule of the page has as well is not repeated. */
function describe(rule: CheckRule, rules: readonly CheckRule[]): string {
  const { id, title, assumption, why, fix } = rule
  const first = rules.find((other) => other.why === why)?.id ?? id
  const reason = first === id ? escapeTags(why) : `See [${first}](#${first}).`
  const source = assumption === undefined ? '' : ` ([${assumption}](../assumptions.md))`
  return `## ${id}\n\n**${rule.level}**${describeEffect(rule)}: ${escapeTags(title)}${source}.\n\n${reason}\n\n**Fix:** ${escapeTags(fix)}\n`
}

/** What the level alone does not say. */
function describeEffect({ contract, isAdvice, failsRun }: CheckRule): string {
  if (failsRun === true) return ', fails the run'
  if (isAdvice === true) return ', advice'
  return contract.basis === 'harm' ? ', beyond the contract' : ''
}

const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Markdown drops `<the code>` as an unknown tag, except in code. */
function escapeTags(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('<', String.raw`\<`) : part))
    .join('`')
}
