import { isActionLink } from '../../internal/action-link.ts'
import { OUTCOME_HEADER } from '../../../runtime/internal/headers.ts'
import { isLoopback } from '../../../runtime/internal/is-loopback.ts'
import { readOptions, required, text } from '../../../runtime/internal/read-options.ts'
import type { ActionLink, ActionState } from '../protocol/actions.ts'
import type { EmulatorContext } from '../core/context.ts'

const TIMEOUT_MS = 5_000

/**
 * Reads the outcome of an action after a developer has opened its link. Reading
 * the page changes nothing. Only links from an app on this machine are read,
 * because other apps may require a sign-in.
 */
export async function readActionState(
  given: ActionLink,
  log: EmulatorContext['log'],
): Promise<ActionState> {
  const { url } = readOptions('emulator.actions', given, { url: required(text) })
  const isOwn =
    isActionLink(url) &&
    isLoopback(URL.parse(url)?.hostname ?? '') &&
    log.list().some(({ response }) => response?.body.includes(JSON.stringify(url)))
  return { outcome: isOwn ? await readOutcome(url) : null }
}

async function readOutcome(url: string): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { redirect: 'manual', signal })
    await response.body?.cancel()
    return response.headers.get(OUTCOME_HEADER)
  } catch {
    return null
  }
}
