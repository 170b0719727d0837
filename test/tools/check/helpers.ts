import type { RequestListener } from 'node:http'
import { check } from 'sidecard/check'
import type { CheckOptions, Report, RuleResult } from 'sidecard/check'
import { run as runCheckCommand } from '../../../src/tools/cli/commands/check.ts'
import { createTransport } from '../../../src/tools/cli/transport/transport.ts'
import { PLAIN } from '../../../src/tools/internal/palette.ts'
import { HEADERS } from '../../fixtures/endpoints/reference.ts'
import { inject } from '../../helpers/inject.ts'

export { findResult } from './in-process.ts'

const transport = createTransport()

/** Returns the rules that were not evaluated. */
export function notEvaluated({ results }: Report): readonly string[] {
  return results
    .filter(({ status }) => status === 'skip' || status === 'not_applicable')
    .map(({ rule }) => rule)
}

/** Rules that are not evaluated unless an option asks for them. */
export const SKIPPED_BY_DEFAULT = [
  'data-unknown',
  'data-shows',
  'data-outcome',
  'auth-none',
  'auth-header-unread',
  'security-isolation',
  'security-unknown',
  'security-shared-values',
  'latency-budget',
]

const injected = new Map<string, ReturnType<typeof inject>>()

/** Serves a handler for `checkAsCommand()` without a port: for tests whose subject is not HTTP. */
export async function serveInProcess(handler: RequestListener): Promise<string> {
  // Nothing listens on these ports.
  const url = `http://127.0.0.1:${injected.size + 1}/`
  injected.set(url, inject(handler))
  return url
}

/** Checks like the command, with the secret, its own connections, and few reads of the customers. */
export function checkAsCommand(
  target: Parameters<typeof check>[0],
  options: CheckOptions = {},
): Promise<Report> {
  const known = typeof target === 'string' ? injected.get(target) : undefined
  const { fetch, openConnection } = known ?? transport
  return check(target, { headers: HEADERS, fetch, openConnection, isolationSamples: 2, ...options })
}

/** Returns the results with findings. */
export function withFindings({ results }: Report): readonly RuleResult[] {
  return results.filter(({ findings }) => findings.length > 0)
}

/** Returns the IDs of the rules that failed or warned. */
export function brokenRules({ results }: Report): readonly string[] {
  return results
    .filter(({ status }) => status === 'fail' || status === 'warn')
    .map(({ rule }) => rule)
}

/** Runs the command in process. */
export async function runCheck(
  args: readonly string[],
  env: Record<string, string> = {},
  isTTY = false,
) {
  let stdout = ''
  let stderr = ''
  const exitCode = await runCheckCommand(args, {
    stdin: (async function* () {})(),
    color: false,
    cwd: process.cwd(),
    stdout: { write: (text) => (stdout += text), columns: 100 },
    stderr: { write: (text) => (stderr += text), isTTY },
    env,
    palette: PLAIN,
  })
  return { exitCode, stdout, stderr }
}
