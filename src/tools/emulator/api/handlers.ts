import { type OperationId, OPERATIONS } from '../../../runtime/contract/operations.ts'
import type { EmulatorContext } from '../core/context.ts'
import type { DocumentKind } from '../store/documents.ts'
import type { Store } from '../store/store.ts'
import { ApiError } from './api-error.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'

/** The number of items of a page without `limit` (A15). */
const PAGE_SIZE = 50
const MAX_PAGE_SIZE = 100

/** An authenticated call of an operation. */
export interface ApiCall {
  readonly id: OperationId
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/** Executes an operation and returns its envelope without the request ID. */
export function executeOperation(call: ApiCall, context: EmulatorContext): Record<string, unknown> {
  switch (call.id) {
    case 'createTask':
      return { data: createTask(call.query, context) }
    case 'redactMessage':
      return { data: redact(call.path['id'] ?? '', call.path['message_id'] ?? '', context) }
    default:
      return list(OPERATIONS[call.id].response.resource, call.query, context.store)
  }
}

function createTask(query: URLSearchParams, { store, now, newId, events }: EmulatorContext) {
  const title = query.get('title') ?? ''
  if (title.trim() === '') {
    const message = 'title is required and must not be empty.'
    throw new ApiError(400, 'missing_parameter', message, { field: 'title' })
  }
  const at = new Date(now()).toISOString()
  const readField = (name: string) => query.get(name) || undefined
  const reference = (name: string) => {
    const id = readField(`${name}_id`)
    return id === undefined ? {} : { [name]: { id } }
  }
  const assignee = readField('assignee_id')
  const { email } = store.get('user', assignee ?? '') ?? {}
  const task = {
    id: newId('task'),
    title,
    ...(query.has('body_html') && { body_html: query.get('body_html') ?? '' }),
    created_at: at,
    updated_at: at,
    ...(query.has('due_date') && { due_date: query.get('due_date') ?? '' }),
    customer_portal_visible: query.get('customer_portal_visible') === 'true',
    ...reference('account'),
    ...reference('milestone'),
    ...reference('project'),
    ...(assignee !== undefined && { assignee: { user: { id: assignee, email } } }),
  }
  // The contract's response has no status, so it is only stored with the task.
  const status = query.get('status') ?? 'not_started'
  store.put('task', task.id, { ...task, status })
  events.emit({ type: 'tasks' })
  return task
}

/** Removes the content of the message, but not the message (A15). */
function redact(issueId: string, messageId: string, { store, events }: EmulatorContext) {
  if (store.get('issue', issueId) === undefined) throw notFound('issue', 'id')
  const message = store.get('message', messageId, issueId)
  if (message === undefined) throw notFound('message of this issue', 'message_id')
  const redacted = { ...message, message_html: '', file_urls: [] }
  store.put('message', messageId, redacted, issueId)
  events.emit({ type: 'issue', issueId })
  return redacted
}

function notFound(what: string, field: string): ApiError {
  return new ApiError(404, 'not_found', `No ${what} has this ID.`, { field })
}

function list(kind: DocumentKind, query: URLSearchParams, store: Store): Record<string, unknown> {
  const cursor = query.get('cursor') ?? ''
  const after = cursor === '' ? 0 : decodeCursor(kind, cursor)
  if (after === undefined) {
    const message = 'Invalid cursor. Use the pagination.cursor of the previous page of this list.'
    throw new ApiError(400, 'invalid_cursor', message, { field: 'cursor' })
  }
  const { bodies, next } = store.page(kind, after, pageSize(query.get('limit')))
  return {
    data: bodies,
    pagination: {
      cursor: next === undefined ? '' : encodeCursor(kind, next),
      has_next_page: next !== undefined,
    },
  }
}

function pageSize(limit: string | null): number {
  if (limit === null || limit === '') return PAGE_SIZE
  if (!/^[1-9]\d{0,5}$/.test(limit)) {
    const message = 'limit must be a positive integer.'
    throw new ApiError(400, 'invalid_parameter', message, { field: 'limit' })
  }
  return Math.min(Number(limit), MAX_PAGE_SIZE)
}
