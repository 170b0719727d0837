import { SECTIONS_APPLIED_HEADER } from '../../internal/headers.ts'
import {
  parseConditions,
  type SectionCondition,
  type SectionConditions,
  serializeConditionReport,
} from '../../internal/section-conditions.ts'
import type { RequestContext } from '../request/request-context.ts'

/** The conditions of a request, and its sections so far. */
interface RequestConditions {
  readonly conditions: SectionConditions
  readonly applied: Set<string>
  readonly sections: Set<string>
}

const requests = new WeakMap<RequestContext, RequestConditions>()

/**
 * Returns the condition of a section, `none` if only other sections have one, or
 * `undefined` if the request has no conditions. A request with malformed
 * conditions is rejected, so no source is called for it.
 */
export function takeCondition(
  title: string,
  ctx: RequestContext,
): SectionCondition | 'none' | undefined {
  const { conditionsHeader } = ctx
  if (conditionsHeader === undefined) return undefined
  const { conditions, applied, sections } = readConditions(conditionsHeader, ctx)
  if (ctx.rejection !== undefined) return 'empty'
  sections.add(title)
  if (!Object.hasOwn(conditions, title)) return 'none'
  applied.add(title)
  return conditions[title]
}

function readConditions(header: string, ctx: RequestContext): RequestConditions {
  const known = requests.get(ctx)
  if (known !== undefined) return known
  const conditions = parseConditions(header)
  if (conditions === undefined) ctx.rejection = 'invalid_sections'
  const read = {
    conditions: conditions ?? {},
    applied: new Set<string>(),
    sections: new Set<string>(),
  }
  ctx.moreHeaders = () => ({
    [SECTIONS_APPLIED_HEADER]: serializeConditionReport({
      applied: [...read.applied],
      sections: [...read.sections],
    }),
  })
  requests.set(ctx, read)
  return read
}

/**
 * Creates the error of a section that fails or times out by its condition. It has no
 * stack, because developers have no code to look at.
 */
export function createConditionError(condition: 'failed' | 'timeout', title: string): Error {
  const hasFailed = condition === 'failed'
  const message = `You asked for ${title} to ${hasFailed ? 'fail' : 'time out'}.`
  const error = hasFailed ? new Error(message) : new DOMException(message, 'TimeoutError')
  return Object.defineProperty(error, 'stack', { value: undefined })
}
