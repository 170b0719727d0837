import { describeLevel } from '../src/check/explain.ts'
import { GROUPS, RULES } from '../src/check/rules/index.ts'
import type { CheckRule } from '../src/check/rules/rule.ts'

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

A run of all rules ends in \`conforms\` only if the endpoint returned customer data and required a secret for it. A run of selected rules (\`--only\`, \`--skip\`) ends in \`conforms\` if these rules pass: its report says "The selected rules passed."

- \`conforms\`, exit code 0: every evaluated MUST rule passed, on customer data. With \`--strict\`, a warning changes the exit code to 1.
- \`violates\`, 1: a rule failed, or an entry of the baseline passes now.
- \`no_customer_data\`, 0 (1 with \`--strict\`): every data fetch returned a designed card, such as "no customer found". Pass \`--param\`.
- \`open\`, 0 (1 with \`--strict\`): data was returned without a secret.
- \`rate_limited\`, 1: the endpoint rejected requests from the check for longer than \`--max-wait\`.
- \`not_evaluated\`, 1: every selected rule was skipped.
- \`unreachable\`, 3: the endpoint did not respond.

Invalid usage exits with 2, an internal error with 70.

For continuous integration, there is [a GitHub action](github-actions.md). The JSON report follows [a JSON Schema](../../schema/check-report.json), which the package contains as \`sidecard/schema/check-report.json\`.

\`npx sidecard check --explain <id>\` prints the page of a rule in the terminal. These pages are generated from the rules by \`npm run generate\`.
`

function indexPage(): string {
  const groups = GROUPS.map((group) => {
    const rules = RULES.filter((rule) => rule.group === group)
    const lines = rules.map(({ id, level, title }) => `- [${id}](${id}.md), ${level}: ${title}.`)
    return `## ${group}\n\n${lines.join('\n')}\n`
  })
  return [INTRODUCTION, ...groups].join('\n')
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
