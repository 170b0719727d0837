import { type Operation, type OperationId, OPERATIONS } from '../contract/operations.ts'
import type {
  KnowledgeBase,
  Message,
  Tag,
  Task,
  Team,
  TicketForm,
  User,
  UserRole,
} from '../contract/resources.ts'
import { type ApiCall, type ApiResponse, createApiCall } from './api-call.ts'
import { assertSafePath, toPathSegment } from './base-url.ts'
import { type Page, parseJson, parseList, parseSingle, readRequestId } from './envelope.ts'
import { ClientError } from './errors.ts'
import { createListCall, type ListCall, type ListOptions } from './list-call.ts'
import {
  type CallOptions,
  type ClientConfig,
  type ClientOptions,
  resolveCallOptions,
  resolveClientOptions,
} from './options.ts'
import { type Query, serializeQuery, validateFields } from './query.ts'
import type { Call } from './request.ts'
import { type CompletedResponse, send } from './transport.ts'

/** The fields of a new task. @see docs/contract.md#api */
export interface CreateTask {
  readonly title: string
  readonly body_html?: string | undefined
  readonly milestone_id?: string | undefined
  readonly status?: 'not_started' | 'in_progress' | 'completed' | undefined
  /** @default false */
  readonly customer_portal_visible?: boolean | undefined
  /** A `Date`, or an RFC 3339 date-time with an offset, such as `2027-03-01T09:00:00Z`. */
  readonly due_date?: Date | string | undefined
  readonly assignee_id?: string | undefined
  readonly account_id?: string | undefined
  readonly project_id?: string | undefined
}

/** Options of `request()`. */
export interface RequestOptions extends CallOptions {
  readonly query?: Query | undefined
  /** Sent as JSON. */
  readonly body?: unknown
}

/** A client of the service's API. @see docs/client.md */
export interface Client {
  readonly tasks: {
    /** Creates a task. Its fields are sent in the URL, which must not exceed 16,000 bytes. */
    create(task: CreateTask, options?: CallOptions): ApiCall<Task>
  }
  readonly ticketForms: { list(options?: ListOptions): ListCall<TicketForm> }
  readonly messages: {
    /** Redacts a message of an issue. */
    redact(
      message: { readonly issue_id: string; readonly message_id: string },
      options?: CallOptions,
    ): ApiCall<Message>
  }
  readonly users: { list(options?: ListOptions): ListCall<User> }
  readonly knowledgeBases: { list(options?: ListOptions): ListCall<KnowledgeBase> }
  readonly teams: { list(options?: ListOptions): ListCall<Team> }
  readonly tags: { list(options?: ListOptions): ListCall<Tag> }
  readonly userRoles: { list(options?: ListOptions): ListCall<UserRole> }
  /**
   * Calls an operation that the contract does not specify. Resolves to the whole
   * JSON body, or to `undefined` if a 2xx response has no body.
   *
   * @param path below the base URL, starting with a slash
   */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): ApiCall<T>
}

/**
 * Creates a client of the service's API.
 *
 * It only retries a write if the API returned 429, and does not follow redirects.
 * The access token never appears in a message, an error or a log line.
 *
 * @throws {ClientError} `invalid_options`, or `invalid_access_token` for a token that is empty or invalid in a header
 * @see docs/client.md
 * @example
 * const client = createClient({ baseUrl: env.API_URL, accessToken: env.API_TOKEN, signal: ctx.signal })
 * for await (const user of client.users.list()) console.log(user.name)
 */
export function createClient(options: ClientOptions): Client {
  const config = resolveClientOptions(options)
  const list =
    <T>(id: OperationId) =>
    (listOptions: ListOptions = {}) =>
      listOperation<T>(OPERATIONS[id], listOptions, config)
  return {
    tasks: {
      create: (task, callOptions = {}) => createApiCall(createTask(task, callOptions, config)),
    },
    ticketForms: { list: list('listTicketForms') },
    messages: {
      redact: (message, callOptions = {}) =>
        createApiCall(redactMessage(message, callOptions, config)),
    },
    users: { list: list('listUsers') },
    knowledgeBases: { list: list('listKnowledgeBases') },
    teams: { list: list('listTeams') },
    tags: { list: list('listTags') },
    userRoles: { list: list('listUserRoles') },
    request: <T>(method: string, path: string, requestOptions: RequestOptions = {}) =>
      createApiCall(sendCustomRequest<T>(method, path, requestOptions, config)),
  }
}

async function createTask(
  task: CreateTask,
  options: CallOptions,
  config: ClientConfig,
): Promise<ApiResponse<Task>> {
  const { method, path, parameters } = OPERATIONS.createTask
  const fields = validateFields({ ...task }, parameters)
  const call: Call = {
    ...resolveCallOptions(`${method} ${path}`, options),
    method,
    label: path,
    path,
    query: config.createTask === 'json' ? '' : serializeQuery(fields),
    ...(config.createTask === 'json' && { json: fields }),
  }
  const response = await send(call, config)
  const envelope = parseSingle<Task>(response, call)
  return toApiResponse(response, envelope.data, envelope)
}

async function redactMessage(
  ids: { readonly issue_id: string; readonly message_id: string },
  options: CallOptions,
  config: ClientConfig,
): Promise<ApiResponse<Message>> {
  const { issue_id, message_id } = { ...ids }
  const { method, path: label } = OPERATIONS.redactMessage
  const path = label
    .replace('{id}', () => toPathSegment('issue_id', issue_id))
    .replace('{message_id}', () => toPathSegment('message_id', message_id))
  const callOptions = resolveCallOptions(`${method} ${label}`, options)
  const call: Call = { ...callOptions, method, label, path, query: '' }
  const response = await send(call, config)
  const envelope = parseSingle<Message>(response, call)
  return toApiResponse(response, envelope.data, envelope)
}

function listOperation<T>(
  operation: Operation,
  listOptions: ListOptions,
  config: ClientConfig,
): ListCall<T> {
  const { limit, cursor: start } = listOptions
  const { method, path } = operation
  const named = { method, label: path }
  const fetchPage = async (cursor: string | undefined): Promise<ApiResponse<Page<T>>> => {
    const options = resolveCallOptions(`${method} ${path}`, listOptions, ['limit', 'cursor'])
    assertPosition(limit, cursor)
    const query = serializeQuery({ limit, cursor })
    const response = await send({ ...options, ...named, path, query }, config)
    const page = parseList<T>(response, named)
    return toApiResponse(response, page, page)
  }
  return createListCall(fetchPage, start, config.maxPages, named)
}

function assertPosition(limit: unknown, cursor: unknown): void {
  const isPositive = typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0
  if (limit !== undefined && !isPositive) {
    throw new ClientError('invalid_parameter', '"limit" must be a positive integer.')
  }
  if (cursor !== undefined && (typeof cursor !== 'string' || cursor === '')) {
    throw new ClientError(
      'invalid_parameter',
      '"cursor" must be a non-empty string: pagination.cursor of an earlier page.',
    )
  }
}

const METHOD = /^[A-Z]{1,20}$/

async function sendCustomRequest<T>(
  method: string,
  path: string,
  options: RequestOptions,
  config: ClientConfig,
): Promise<ApiResponse<T>> {
  const callOptions = resolveCallOptions('request', options, ['query', 'body'])
  const { query = {}, body } = options
  const name = typeof method === 'string' ? method.toUpperCase() : ''
  if (!METHOD.test(name)) {
    throw new ClientError('invalid_parameter', 'request: use an HTTP method, such as GET.')
  }
  if (body !== undefined && (name === 'GET' || name === 'HEAD')) {
    throw new ClientError(
      'invalid_parameter',
      `request: ${name} does not accept a body; use query.`,
    )
  }
  const call: Call = {
    ...callOptions,
    method: name,
    label: 'request()',
    path: assertSafePath(path),
    query: serializeQuery(query),
    json: body,
  }
  const response = await send(call, config)
  const value = response.body.text === '' ? undefined : parseJson(response, call)
  return toApiResponse(response, value as T, value)
}

function toApiResponse<T>(response: CompletedResponse, data: T, envelope: unknown): ApiResponse<T> {
  const { status, headers, attempts } = response
  return {
    data,
    requestId: readRequestId(response, envelope),
    response: { status, headers },
    attempts,
  }
}
