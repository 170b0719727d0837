import type { Page } from './envelope.ts'
import { createError, type NamedCall } from './errors.ts'
import { isRecord, kind, readOptions, withDefault } from '../internal/read-options.ts'
import type { CallOptions } from './options.ts'

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** Items per page; sent only if set (A11). */
  readonly limit?: number | undefined
  /** The cursor of the first page to fetch, from an earlier page (A11). */
  readonly cursor?: string | undefined
}

const isCount = (value: unknown) =>
  value === Infinity || (Number.isSafeInteger(value) && (value as number) >= 0)
const TO_ARRAY_KINDS = {
  max: withDefault(kind<number>('an integer from 0, or Infinity', isCount), Infinity),
}

/**
 * A list. Await it for one page, iterate over it for all items, or call `pages()`
 * or `toArray()`. No request is sent until you use one of these. Awaiting it
 * twice sends one request.
 *
 * @see docs/client.md#lists
 */
export interface ListCall<T> extends PromiseLike<Page<T>>, AsyncIterable<T> {
  /**
   * Iterates over all pages, including empty ones.
   *
   * @throws {ClientError} `invalid_pagination`, `pagination_loop` or `too_many_pages`
   */
  pages(): AsyncIterable<Page<T>>
  /**
   * Returns all items, or the first `max` (`Infinity` by default). It does not request more pages than
   * necessary.
   *
   * @throws {SidecardError} `invalid_options`
   * @throws {ClientError} as `pages()`
   */
  toArray(options?: { readonly max?: number | undefined }): Promise<T[]>
}

/** Creates a list from a function that fetches its pages. */
export function createListCall<T>(
  fetchPage: (cursor: string | undefined) => Promise<Page<T>>,
  start: string | undefined,
  maxPages: number,
  call: NamedCall,
): ListCall<T> {
  let first: Promise<Page<T>> | undefined
  const firstPage = () => (first ??= fetchPage(start))

  async function* pages(): AsyncGenerator<Page<T>, void, void> {
    const seen = new Set<string>(start === undefined ? [] : [start])
    let current = await firstPage()
    for (let count = 1; ; count += 1) {
      yield current
      const cursor = nextCursor(current, call)
      if (cursor === undefined) return
      if (seen.has(cursor)) {
        throw createError('pagination_loop', call, 'the API returned the same cursor twice')
      }
      if (count >= maxPages) {
        const problem = `the list has more than ${maxPages} pages (maxPages)`
        throw createError('too_many_pages', call, problem)
      }
      seen.add(cursor)
      // oxlint-disable-next-line no-await-in-loop -- each page has the cursor of the next one
      current = await fetchPage(cursor)
    }
  }

  async function* items(): AsyncGenerator<T, void, void> {
    for await (const { data } of pages()) yield* data
  }

  return {
    // oxlint-disable-next-line unicorn/no-thenable -- a list is awaited for one page
    then: (onPage, onError) => firstPage().then(onPage, onError),
    [Symbol.asyncIterator]: items,
    pages,
    async toArray(options = {}) {
      const { max } = readOptions('toArray', options, TO_ARRAY_KINDS)
      const all: T[] = []
      if (max === 0) return all
      for await (const item of items()) {
        all.push(item)
        if (all.length >= max) break
      }
      return all
    },
  }
}

/**
 * Returns the cursor of the next page, or `undefined` for the last page and for a
 * page without `pagination` (A11).
 *
 * @throws {ClientError} `invalid_pagination` if there is a next page but no usable cursor
 */
function nextCursor<T>(page: Page<T>, call: NamedCall): string | undefined {
  const invalid = (problem: string) => createError('invalid_pagination', call, problem)
  const pagination: unknown = page.pagination ?? {}
  if (!isRecord(pagination)) throw invalid('`pagination` is not an object')
  const { has_next_page: hasNext, cursor } = pagination
  if ((hasNext ?? false) === false) return undefined
  if (hasNext !== true) throw invalid('`has_next_page` is not a boolean')
  if (typeof cursor === 'string' && cursor !== '') return cursor
  throw invalid('`has_next_page` is true but there is no cursor')
}
