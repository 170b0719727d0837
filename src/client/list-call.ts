import type { ApiResponse } from './api-call.ts'
import type { Page } from './envelope.ts'
import { ClientError } from './errors.ts'
import type { CallOptions } from './options.ts'

/** What a list may be asked. */
export interface ListOptions extends CallOptions {
  /** Items a page; sent only when given (A11). */
  readonly limit?: number
  /** Where to start, from an earlier page (A11). */
  readonly cursor?: string
}

/**
 * A list: await it for one page, iterate it for every item, or take `pages()`
 * or `toArray()`. Nothing is sent before one of these is used; awaiting it
 * twice sends once.
 *
 * @see docs/client.md#lists
 */
export interface ListCall<T> extends PromiseLike<Page<T>>, AsyncIterable<T> {
  /** The first page with its request id, status, headers and attempts. */
  withResponse(): Promise<ApiResponse<Page<T>>>
  /**
   * Every page, empty ones too.
   *
   * @throws {ClientError} `invalid_pagination`, `pagination_loop` or `too_many_pages`
   */
  pages(): AsyncIterable<Page<T>>
  /**
   * Every item, or the first `max` of them: then no page beyond is asked for.
   *
   * @throws {ClientError} as `pages()`
   */
  toArray(options?: { readonly max?: number }): Promise<T[]>
  catch: Promise<Page<T>>['catch']
  finally: Promise<Page<T>>['finally']
}

/** Asks for the page at a cursor; the first one without. */
export type LoadPage<T> = (cursor: string | undefined) => Promise<ApiResponse<Page<T>>>

/** Makes a list of a way to load its pages. */
export function listCall<T>(
  load: LoadPage<T>,
  start: string | undefined,
  maxPages: number,
  label: string,
): ListCall<T> {
  let first: Promise<ApiResponse<Page<T>>> | undefined
  const withResponse = () => (first ??= load(start))
  const page = () => withResponse().then(({ data }) => data)

  async function* pages(): AsyncGenerator<Page<T>, void, void> {
    const seen = new Set<string>(start === undefined ? [] : [start])
    let current = await page()
    for (let count = 1; ; count += 1) {
      yield current
      const cursor = nextCursor(current, label)
      if (cursor === undefined) return
      if (seen.has(cursor)) {
        throw new ClientError(
          'pagination_loop',
          `${label}: the API gave a cursor a second time, so the list would never end.`,
        )
      }
      if (count >= maxPages) {
        throw new ClientError(
          'too_many_pages',
          `${label}: the list has more than ${maxPages} pages (maxPages).`,
        )
      }
      seen.add(cursor)
      // oxlint-disable-next-line no-await-in-loop -- a page names the next one
      current = (await load(cursor)).data
    }
  }

  async function* items(): AsyncGenerator<T, void, void> {
    for await (const { data } of pages()) yield* data
  }

  return {
    // oxlint-disable-next-line unicorn/no-thenable -- a list is awaited for one page
    then: (onPage, onError) => page().then(onPage, onError),
    catch: (onError) => page().catch(onError),
    finally: (onDone) => page().finally(onDone),
    [Symbol.asyncIterator]: items,
    withResponse,
    pages,
    async toArray({ max = Infinity } = {}) {
      if (!(max >= 0)) throw new ClientError('invalid_parameter', '"max" must be a number from 0.')
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
 * The cursor of the next page; `undefined` on the last one, which is also what
 * a page without `pagination` is (A11).
 *
 * @throws {ClientError} `invalid_pagination` when there is a next page and no way to ask for it
 */
function nextCursor<T>(page: Page<T>, label: string): string | undefined {
  const pagination: unknown = page.pagination ?? {}
  if (typeof pagination !== 'object' || pagination === null || Array.isArray(pagination)) {
    throw invalid(label, '`pagination` is not an object')
  }
  const { has_next_page: hasNext, cursor } = pagination as {
    has_next_page?: unknown
    cursor?: unknown
  }
  if (hasNext === undefined || hasNext === null || hasNext === false) return undefined
  if (hasNext !== true) throw invalid(label, '`has_next_page` is not a boolean')
  if (typeof cursor !== 'string' || cursor === '') {
    throw invalid(label, 'the API says that there is a next page, and gives no cursor for it')
  }
  return cursor
}

function invalid(label: string, problem: string): ClientError {
  return new ClientError('invalid_pagination', `${label}: ${problem}.`)
}
