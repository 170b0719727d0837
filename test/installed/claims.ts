import type { Marks } from './marks.ts'

/** What the pages claim about commands, wherever they appear. */
const CLAIMS: readonly (readonly [RegExp, RegExp])[] = [
  [/\bnpm (?:run dev|start)\b|\bsidecard dev\b/, /^connected /m],
  [
    /\bsidecard check (?!.*--(?:explain|list|only)\b)|\bnpm run check\b/,
    /The endpoint conforms to the contract|"verdict": "conforms"/,
  ],
  [/\bnpm test\b/, /\d+ passed|pass \d+/],
  [/\bsidecard record\b/, /^Saved /m],
]

/** What a page that was followed never shows. */
const NEVER =
  /command not found|No such file|returned 401|is incomplete|no customer data was checked|ERR!/

/** A shell block that ran. */
export interface Followed {
  readonly code: string
  readonly exitCode: number
  readonly output: string
}

/** Throws with the output if a block did not do what its page claims. */
export function assertClaims(followed: Followed, marks: Marks = {}): void {
  const { code, exitCode, output } = followed
  const problems = CLAIMS.filter(
    ([command, promise]) => command.test(code) && !promise.test(output),
  ).map(([, promise]) => `The output does not match ${promise}.`)
  const forbidden = NEVER.exec(output)
  if (forbidden !== null) problems.push(`The output contains "${forbidden[0]}".`)
  if (exitCode !== (marks.exit ?? 0)) problems.push(`The exit code is ${exitCode}.`)
  if (marks.shows !== undefined && !output.includes(marks.shows)) {
    problems.push(`The output does not contain "${marks.shows}".`)
  }
  if (problems.length > 0) throw new Error([...problems, '', output].join('\n'))
}
