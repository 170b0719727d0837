import type { Env } from 'hono'
import type { Child, FetchDataResult } from '../builders/children.ts'
import { isThenable } from '../internal/is-thenable.ts'
import { settleChildren } from './children.ts'
import type { RequestContext } from './context.ts'
import { Deadline } from './deadline.ts'
import { encodeAnswer } from './encode-answer.ts'
import { AnswerError } from './faults.ts'
import type { ResolvedOptions } from './options.ts'
import { failedOutcome, type Outcome, tellOnError } from './outcome.ts'

/**
 * Runs `fetchData` and checks what it returns. Never rejects: whatever goes
 * wrong becomes a payload that says so and an outcome that names it.
 */
export async function runFetchData<E extends Env>(
  ctx: RequestContext<E>,
  app: ResolvedOptions<E>,
): Promise<Outcome> {
  const deadline = new Deadline(app.timeoutMs, (reason) => ctx.abort(reason))
  try {
    const returned = app.fetchData(ctx)
    const result = isThenable(returned) ? await deadline.race<FetchDataResult>(returned) : returned
    const children = Array.isArray(result) ? result : childrenOf(result)
    const settling = settleChildren(children, ctx, deadline, app.uriSchemes)
    const { components, faults } = settling instanceof Promise ? await settling : settling
    const encoded = encodeAnswer(Array.isArray(result) ? undefined : result, components, app)
    for (const { error } of faults) tellOnError(error, ctx, app)
    return {
      ...encoded,
      kind: faults.length > 0 ? 'section_failed' : 'ok',
      traceId: faults.length > 0 ? ctx.traceId : undefined,
      childFaults: faults,
    }
  } catch (error) {
    const isLate = deadline.reason !== undefined && error === deadline.reason
    return failedOutcome(error, isLate, ctx, app)
  } finally {
    deadline.clear()
  }
}

function childrenOf(result: FetchDataResult): readonly Child[] {
  const components: unknown =
    typeof result === 'object' && result !== null && 'components' in result
      ? result.components
      : undefined
  if (Array.isArray(components)) return components as readonly Child[]
  throw new AnswerError(
    'invalid_payload',
    'fetchData must return an array of children, or payload({ header, components }).',
  )
}
