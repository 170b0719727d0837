import { isActionLink } from '../../internal/action-link.ts'
import { OUTCOME_HEADER } from '../../internal/headers.ts'
import { isLoopback } from '../../internal/is-loopback.ts'
import { readOptions, required, text } from '../../internal/read-options.ts'
import type { ActionLink, ActionState } from '../protocol/actions.ts'
import type { EmulatorContext } from '../core/context.ts'

const TIMEOUT_MS = 5_000

/**
 * Reads how the action of a link ended, after the developer opened the link
 * themselves. The page changes nothing when it is read. Only a link that an app on
 * this machine sent is read: elsewhere, there may be a sign-in, and no developer.
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
