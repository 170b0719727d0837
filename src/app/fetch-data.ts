import type { Env } from 'hono'
import type { Child, FetchDataResult } from '../builders/children.ts'
import { after } from '../internal/after.ts'
import { isThenable } from '../internal/is-thenable.ts'
import { settleChildren } from './children.ts'
import type { RequestContext } from './context.ts'
import { Deadline } from './deadline.ts'
import { encodeAnswer } from './encode-answer.ts'
import { AnswerError } from './faults.ts'
import type { ResolvedOptions } from './options.ts'
import { failedOutcome, type Outcome, tellOnError } from './outcome.ts'

/**
 * Runs `fetchData` and checks what it returns; at once, without a promise, where
 * there is nothing to wait for. Never throws or rejects: whatever goes wrong
 * becomes a payload that says so and an outcome that names it.
 */
export function runFetchData<E extends Env>(
  ctx: RequestContext<E>,
  app: ResolvedOptions<E>,
): Outcome | Promise<Outcome> {
  const deadline = new Deadline(app.timeoutMs, (reason) => ctx.abort(reason))
  const fail = (error: unknown): Outcome => {
    const isLate = deadline.reason !== undefined && error === deadline.reason
    return failedOutcome(error, isLate, ctx, app)
  }
  try {
    const returned = app.fetchData(ctx)
    const outcome = after(
      isThenable(returned) ? deadline.race<FetchDataResult>(returned) : returned,
      (result) => outcomeOf(result, ctx, deadline, app),
    )
    return outcome instanceof Promise
      ? outcome.catch(fail).finally(() => deadline.clear())
      : outcome
  } catch (error) {
    deadline.clear()
    return fail(error)
  }
}

function outcomeOf<E extends Env>(
  result: FetchDataResult,
  ctx: RequestContext<E>,
  deadline: Deadline,
  app: ResolvedOptions<E>,
): Outcome | Promise<Outcome> {
  const isList = Array.isArray(result)
  const children = isList ? result : childrenOf(result)
  return after(
    settleChildren(children, ctx, deadline, app.uriSchemes),
    ({ components, faults }) => {
      const encoded = encodeAnswer(isList ? undefined : result, components, app)
      for (const { error } of faults) tellOnError(error, ctx, app)
      return {
        json: encoded.json,
        componentCount: encoded.componentCount,
        kind: faults.length > 0 ? 'section_failed' : 'ok',
        traceId: faults.length > 0 ? ctx.traceId : undefined,
        childFaults: faults,
      }
    },
  )
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
