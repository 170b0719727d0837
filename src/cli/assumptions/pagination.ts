import { OPERATIONS } from '../../contract/operations.ts'
import type { Result } from './assumption.ts'
import { isList, isSuccess, NO_CALL, readEnvelope } from './envelope.ts'
import { counted, type Evidence, say } from './evidence.ts'
import type { ApiCall, Traffic } from './traffic.ts'

/** A11: the parameter `cursor` requests the next page. */
export function decidePagination({ calls }: Traffic): Result {
  const lists = calls.filter((call) => isList(call) && isSuccess(call))
  const pages = lists.filter((call) => readEnvelope(call).hasNextPage === true)
  const evidence = lists
    .slice(0, 5)
    .map(
      (call) =>
        say`${OPERATIONS[call.operation].path.slice(1)}: ${readEnvelope(call).items?.length ?? 0} items in a page, parameters: ${namesOf(call)}`,
    )
  const sent = calls.flatMap((next) =>
    next.parameters.flatMap(([name, value]) => (value === '' ? [] : [{ next, name, value }])),
  )
  const byValue = Map.groupBy(sent, ({ value }) => value)
  const pairs = pages.flatMap((page) =>
    (byValue.get(readEnvelope(page).cursor ?? '') ?? []).flatMap(({ next, name }) =>
      next.operation === page.operation && next.startedAt >= page.startedAt && next !== page
        ? [{ page, next, name }]
        : [],
    ),
  )
  const problems = pairs.flatMap(({ page, next, name }): Evidence[] => {
    if (name !== 'cursor')
      return isSuccess(next) && !isSamePage(page, next)
        ? [say`the parameter ${name} returned the next page`]
        : []
    if (!isSuccess(next))
      return [say`a request with the parameter cursor got status ${next.status}`]
    return isSamePage(page, next)
      ? [say`a request with the parameter cursor got the same page`]
      : []
  })
  if (problems.length > 0) return { status: 'does_not_hold', evidence: [...problems, ...evidence] }
  const confirmed = pairs.filter(({ name }) => name === 'cursor').length
  if (confirmed > 0) {
    return {
      status: 'holds',
      evidence: [
        say`the parameter cursor returned ${counted(confirmed, 'next page')}`,
        ...evidence,
      ],
    }
  }
  const reason =
    calls.length === 0
      ? NO_CALL
      : pages.length === 0
        ? say`no list has a next page`
        : say`no next page was requested`
  return { status: 'skipped', reason, evidence }
}

const namesOf = ({ parameters }: ApiCall) =>
  parameters.length === 0 ? ['none'] : parameters.map(([name]) => name)

function isSamePage(page: ApiCall, next: ApiCall): boolean {
  const [left, right] = [readEnvelope(page), readEnvelope(next)]
  if (left.items === undefined || left.items.length === 0) return false
  return JSON.stringify(left.items) === JSON.stringify(right.items)
}
