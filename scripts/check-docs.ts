import { readFileSync } from 'node:fs'
import { describeLevel } from '../src/check/explain.ts'
import { VERDICTS } from '../src/check/report.ts'
import { GROUPS, RULES } from '../src/check/rules/index.ts'
import type { CheckRule } from '../src/check/rules/rule.ts'
import { MISSES } from '../test/farm/misses.ts'
import type { FarmRecord } from '../test/farm/record.ts'

/** Renders the pages of docs/checks, by file name. */
export function renderCheckDocs(): ReadonlyMap<string, string> {
  return new Map([
    ['README.md', indexPage()],
    ...RULES.map((rule) => [`${rule.id}.md`, rulePage(rule)] as const),
  ])
}

const INTRODUCTION = `# Check rules

\`npx sidecard check <url>\` checks an endpoint against the contract. The endpoint may be written in any language and run on any host. The check only sends GET requests, and does not follow redirects. Some of its requests are malformed: in production, use \`--profile production\`.

Each rule has an ID that never changes, and a level:

- **MUST**: required by the contract. A violation fails the run. A few MUST rules go beyond the contract, because a violation is always harmful: a secret in a response, a stack trace, a URL that runs code.
- **SHOULD**: recommended. A violation is a warning.
- **ASSUMED**: not specified by the contract. A violation is a warning. An authentication rule fails the run with \`--expect-auth\`, or if the endpoint rejects some unauthenticated requests but accepts others. A budget that you pass with \`--max-p95\` fails the run if it is exceeded.

Some rules are advice beyond the contract. They never fail a run, not even with \`--strict\`.

## Verdicts

${Object.entries(VERDICTS)
  .map(([verdict, { exitCode, meaning }]) => `- \`${verdict}\`, exit code ${exitCode}: ${meaning}.`)
  .join('\n')}

\`--strict\` turns warnings into failures. With \`--allow-unproven\`, \`not_proven\` exits with 0 if a rule was evaluated and none failed. An unreachable endpoint exits with 3. A run of selected rules (\`--only\`, \`--skip\`) is about these rules only.

Isolation is proven only by the texts of at least two customers: \`--param account_id=… --shows '…'\` for each. A customer, a text or \`--expect-auth\` only adds findings.

Invalid usage exits with 2, an internal error with 70.

For continuous integration, there is [a GitHub action](github-actions.md). The JSON report follows [a JSON Schema](../../schema/check-report.json), which the package contains as \`sidecard/schema/check-report.json\`.

\`npx sidecard check --explain <id>\` prints the page of a rule in the terminal. These pages are generated from the rules by \`npm run generate\`.
`

/** The score of `npm run farm`, from its record. */
function score(): string {
  const url = new URL('../test/farm/record.json', import.meta.url)
  const groups = Object.entries(JSON.parse(readFileSync(url, 'utf8')) as FarmRecord)
  const sum = (count: (row: FarmRecord[string]) => number) =>
    groups.reduce((total, [, row]) => total + count(row), 0)
  const all = sum(({ seeds }) => seeds)
  const advised = sum((row) => row.advised.length)
  const missed = groups.flatMap(([, row]) => row.missed)
  const lines = groups.map(([group, row]) => {
    const found = row.seeds - row.advised.length - row.missed.length
    return `- ${group}: ${found} found, ${row.advised.length} warnings, ${row.missed.length} missed`
  })
  return `## What the checker finds

\`npm run farm\` checks ${all} endpoints with one defect each, written with Node, Python, Ruby, PHP and Go. ${all - advised - missed.length} fail the run by the right rule, ${advised} get a warning, and ${missed.length} are missed. Each defect has a conformant twin, which passes.

${lines.join('\n')}

The missed defects:

${missed.map((id) => `- \`${id}\`: ${MISSES[id] ?? 'no reason is known'}`).join('\n')}

The checker only knows the customers that you pass. It finds the data of another one only if the response lacks a text of the requested customer.
`
}

function indexPage(): string {
  const groups = GROUPS.map((group) => {
    const rules = RULES.filter((rule) => rule.group === group)
    const lines = rules.map(({ id, level, title }) => `- [${id}](${id}.md), ${level}: ${title}.`)
    return `## ${group}\n\n${lines.join('\n')}\n`
  })
  return [INTRODUCTION, score(), ...groups].join('\n')
}

function rulePage(rule: CheckRule): string {
  const { contract, assumption } = rule
  const sections = [
    `# ${rule.id}`,
    `${rule.title}.`,
    `**${rule.level}**, ${describeLevel(rule)}. Group: ${rule.group}.`,
    `## The contract\n\n${contract.statement} ([docs/contract.md](../contract.md#${contract.anchor}))`,
    ...(assumption === undefined
      ? []
      : [`Assumption ${assumption}: see [docs/assumptions.md](../assumptions.md).`]),
    `## Why\n\n${escapeTags(rule.why)}`,
    `## Fix\n\n${escapeTags(rule.fix)}`,
    `## Check this rule alone\n\n\`\`\`sh\nnpx sidecard check https://example.com/widget --only ${rule.id}\n\`\`\``,
    `[All rules](README.md)`,
  ]
  return `${sections.join('\n\n')}\n`
}

/** Markdown drops `<the code>` as an unknown tag, except in code. */
function escapeTags(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('<', String.raw`\<`) : part))
    .join('`')
}
