import { levelMeaning } from '../src/check/explain.ts'
import { GROUPS, RULES } from '../src/check/rules/index.ts'
import type { CheckRule } from '../src/check/rules/rule.ts'

/** The pages of docs/checks that are made from the rules, by file name. */
export function checkDocs(): ReadonlyMap<string, string> {
  return new Map([
    ['README.md', indexPage()],
    ...RULES.map((rule) => [`${rule.id}.md`, rulePage(rule)] as const),
  ])
}

const INTRODUCTION = `# Check rules

\`sidecard check <url>\` tells whether an endpoint keeps the contract. The endpoint may be written in any language and run on any host. The check sends GET requests only, so it is safe in production.

Each rule has an id that never changes, and a level:

- **MUST**: the contract's own words. Breaking it fails the run. A few rules have no sentence of the contract and fail all the same, because what they find is harm already done: a secret shown, a stack trace, an address that runs code. Their pages say so.
- **SHOULD**: the safe reading. Breaking it is a warning.
- **ASSUMED**: what the contract does not show. Breaking it is a warning. Authentication fails the run when \`--expect-auth\` is given, or when the endpoint refuses some requests without the right headers and answers others.

The command exits with 0 when nothing failed, 1 when a rule failed, 2 for wrong usage, 3 when nothing answers at the address, and 70 for a fault of our own. With \`--strict\`, warnings fail, too.

In continuous integration: [a GitHub Actions example](github-actions.md).

These pages are made from the rules by \`npm run generate\`.
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
    `**${rule.level}**, ${levelMeaning(rule)}. Group: ${rule.group}.`,
    `## The contract\n\n${contract.says} ([docs/contract.md](../contract.md#${contract.anchor}))`,
    ...(assumption === undefined
      ? []
      : [`Assumption ${assumption}: see [docs/assumptions.md](../assumptions.md).`]),
    `## Why\n\n${rule.why}`,
    `## Fix\n\n${rule.fix}`,
    `## Check this rule alone\n\n\`\`\`sh\nsidecard check https://example.com/widget --only ${rule.id}\n\`\`\``,
    `[All rules](README.md)`,
  ]
  return `${sections.join('\n\n')}\n`
}
