import { isAbsent } from '../../builders/components/children.ts'
import { isSection } from '../../builders/components/section.ts'
import { firstFields } from '../../contract/build-values.ts'
import { discard } from '../../contract/copy-values.ts'
import { encodePayload } from '../../contract/encode.ts'
import { SCHEMA_VERSION } from '../../contract/version.ts'
import { isArray, readProperty } from '../../internal/hostile-values.ts'
import { settleChildren } from './children.ts'
import { joinPieces, type Piece } from './encode.ts'
import { PayloadError, requireValid } from '../errors.ts'
import {
  classifyFailure,
  type NewFailure,
  type Part,
  showDesignedCard,
  showFailure,
} from './failures.ts'
import type { ResolvedOptions } from '../resolve-options.ts'
import { type Outcome, showParts } from './outcome.ts'
import type { RequestContext } from './request-context.ts'

/** Runs `fetchData`, and turns its return value into a payload. Never rejects. */
export async function runFetchData(ctx: RequestContext): Promise<Outcome> {
  const { app } = ctx
  let parts: readonly Part[] = []
  const show = async (returned: unknown): Promise<Outcome> => {
    const { head, children } = readResult(returned, app)
    parts = await settleChildren(children, ctx)
    // Only sections can be replaced to meet the limits. Joining the parts checks the rest.
    const fit = parts.find((part) => part.fit)?.fit
    return showParts(fit?.(parts, head, ctx) ?? parts, head, ctx)
  }
  try {
    return await ctx.run('fetchData', {}, () => app.options.fetchData(ctx), ctx.deadline, show)
  } catch (error) {
    return replacePayload(error, parts, ctx)
  }
}

/** Reads the head and the children from a return value: children, one child, or a payload. */
function readResult(
  result: unknown,
  app: ResolvedOptions,
): { head: string; children: readonly unknown[] } {
  if (isArray(result)) return { head: app.head, children: result }
  if (typeof result !== 'object' || result === null) {
    if (isAbsent(result) && result !== undefined) return { head: app.head, children: [] }
    throw createReturnTypeError(
      result === undefined ? ' It returned undefined: is a return missing?' : '',
    )
  }
  const [type, components, header] = ['type', 'components', 'header'].map((name) =>
    readProperty(result, name),
  )
  discard(type, components, header)
  if (isSection(result) || type !== undefined) return { head: app.head, children: [result] }
  if (!isArray(components)) throw createReturnTypeError()
  if (header === undefined) {
    throw createReturnTypeError(' It returned an object with components, but without a header.')
  }
  const version = readProperty(result, 'version')
  if (typeof version === 'string' && version !== SCHEMA_VERSION) {
    throw createReturnTypeError(` It returned a payload whose version is not ${SCHEMA_VERSION}.`)
  }
  const { json } = requireValid(encodePayload({ ...firstFields(result), components: [] }, app))
  return { head: json.slice(0, -2), children: components }
}

function createReturnTypeError(hint = ''): PayloadError {
  return new PayloadError(
    'invalid_payload',
    `fetchData must return an array of components or payload(…).${hint}`,
  )
}

/** Creates the payload for an agent if the return value of `fetchData` cannot be shown. */
function replacePayload(thrown: unknown, parts: readonly Part[], ctx: RequestContext): Outcome {
  const { app, match, traceId } = ctx
  const show = (piece: Piece) => ({
    ...joinPieces(app.head, [{ piece }], {
      ...app,
      maxComponents: Infinity,
      maxBodyBytes: Infinity,
    }),
    sections: [],
    match,
  })
  const designed = showDesignedCard(thrown, ctx)
  if ('piece' in designed) {
    const { piece, outcome } = designed
    return { ...show(piece), designed: outcome, traceId }
  }
  const { error } = designed
  const isTimedOut = error !== undefined && error === ctx.deadline.error
  const failure = classifyFailure(error, isTimedOut)
  const shown = show(showFailure(failure, error, ctx))
  // The failure card replaces the whole payload, including stale content.
  const ofSections = parts.flatMap((part) =>
    part.failure ? [{ ...part.failure, stale: false }] : [],
  )
  if (ctx.isAbandoned) return { ...shown, traceId }
  const failures = [failure, ...ofSections].map((each: NewFailure) => ({ ...each, traceId }))
  return { ...shown, failures, traceId }
}
