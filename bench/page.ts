import { availableParallelism, cpus, loadavg } from 'node:os'

/** What the kit promises of its cost. */
export interface Goal {
  readonly name: string
  readonly value: number
  readonly limit: number
  readonly unit: string
  /** What costs it, for a goal that is missed. */
  readonly cause: string
}

/** A measured part of the page. */
export interface Part {
  readonly goals: readonly Goal[]
  readonly section: string
}

/** Renders a Markdown table. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Formats a figure with two significant digits or more. */
export function figure(value: number): string {
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0)
}

/** Renders docs/performance.md from the parts of one run. */
export function renderPage(parts: readonly Part[], commit: string): string {
  const goals = parts.flatMap((part) => part.goals)
  const causes = [...new Set(goals.filter(isMissed).map(({ cause }) => cause))]
  const letterOf = (cause: string) => String.fromCodePoint(97 + causes.indexOf(cause))
  const load = loadavg()[0]!
  return `# Performance

What the kit costs, against what you would write without it: Hono with \`payloadSchema.parse()\`, \`c.json()\` and the same two security headers. \`node scripts/bench.ts\` measures it in a few minutes and writes this page. Unless stated otherwise, factors are relative to that stack.

One run of commit ${commit}, Node ${process.version}, ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${availableParallelism()} cores, load average ${load.toFixed(1)} at the end.${load > 2.5 ? ' **The machine was busy: compare the rows, and do not use the absolute figures.**' : ''}

## Goals

${table(
  ['', 'Measured', 'At most', ''],
  goals.map((goal) => [
    goal.name,
    `${figure(goal.value)}${goal.unit}`,
    `${figure(goal.limit)}${goal.unit}`,
    isMissed(goal) ? `**missed** (${letterOf(goal.cause)})` : 'reached',
  ]),
)}
${causes.map((cause) => `\n- (${letterOf(cause)}) ${cause}`).join('')}

${parts.map((part) => part.section).join('\n\n')}
`
}

function isMissed({ value, limit }: Goal): boolean {
  // NaN is a goal that was not measured.
  return !(value <= limit)
}
