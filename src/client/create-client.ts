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
import { type ApiCall, apiCall, type ApiResponse } from './api-call.ts'
import { checkPath, pathSegment } from './base-url.ts'
import { type Page, readJson, readList, readSingle, requestIdOf } from './envelope.ts'
import { ClientError } from './errors.ts'
import { type ListCall, listCall, type ListOptions } from './list-call.ts'
import {
  type CallOptions,
  type ClientConfig,
  type ClientOptions,
  resolveClientOptions,
} from './options.ts'
import { checkFields, type Query, writeQuery } from './query.ts'
import { type Answer, type Call, send } from './transport.ts'

/** The fields of a new task. @see docs/contract.md#api */
export interface CreateTask {
  readonly title: string
  readonly body_html?: string | undefined
  readonly milestone_id?: string | undefined
  readonly status?: 'not_started' | 'in_progress' | 'completed' | undefined
  /** @default false */
  readonly customer_portal_visible?: boolean | undefined
  /** A `Date`, or an RFC 3339 date-time. */
  readonly due_date?: Date | string | undefined
  readonly assignee_id?: string | undefined
  readonly account_id?: string | undefined
  readonly project_id?: string | undefined
}

/** What `request()` may send. */
export interface RequestOptions extends CallOptions {
  readonly query?: Query
  /** Sent as JSON. */
  readonly body?: unknown
}

/** The service's API. @see docs/client.md */
export interface Client {
  readonly tasks: {
    /** Creates a task. Its fields travel in the URL, which may have 16,000 bytes. */
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
   * Calls an operation that the contract does not show. Resolves to the whole
   * JSON body; to `undefined` when a 2xx answer has none.
   *
   * @param path below the base address, starting with a slash
   */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): ApiCall<T>
}

/**
 * Makes a client of the service's API.
 *
 * It never sends a write twice unless the API answered 429, follows no
 * redirect, and keeps the access token out of every message, error and log line.
 *
 * @throws {ClientError} `invalid_options`
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
      callList<T>(OPERATIONS[id], listOptions, config)
  return {
    tasks: { create: (task, callOptions = {}) => apiCall(createTask(task, callOptions, config)) },
    ticketForms: { list: list('listTicketForms') },
    messages: {
      redact: (message, callOptions = {}) => apiCall(redactMessage(message, callOptions, config)),
    },
    users: { list: list('listUsers') },
    knowledgeBases: { list: list('listKnowledgeBases') },
    teams: { list: list('listTeams') },
    tags: { list: list('listTags') },
    userRoles: { list: list('listUserRoles') },
    request: <T>(method: string, path: string, requestOptions: RequestOptions = {}) =>
      apiCall(callAny<T>(method, path, requestOptions, config)),
  }
}

async function createTask(
  task: CreateTask,
  options: CallOptions,
  config: ClientConfig,
): Promise<ApiResponse<Task>> {
  const { method, path, parameters } = OPERATIONS.createTask
  const fields = checkFields({ ...task }, parameters)
  const call: Call = {
    ...options,
    method,
    label: path,
    path,
    query: config.createTask === 'json' ? '' : writeQuery(fields),
    ...(config.createTask === 'json' && { json: fields }),
  }
  const answer = await send(call, config)
  const envelope = readSingle<Task>(answer, call)
  return respond(answer, envelope.data, envelope)
}

async function redactMessage(
  ids: { readonly issue_id: string; readonly message_id: string },
  options: CallOptions,
  config: ClientConfig,
): Promise<ApiResponse<Message>> {
  const { issue_id, message_id } = { ...ids }
  const { method, path: label } = OPERATIONS.redactMessage
  const path = label
    .replace('{id}', () => pathSegment('issue_id', issue_id))
    .replace('{message_id}', () => pathSegment('message_id', message_id))
  const call: Call = { ...options, method, label, path, query: '' }
  const answer = await send(call, config)
  const envelope = readSingle<Message>(answer, call)
  return respond(answer, envelope.data, envelope)
}

function callList<T>(
  operation: Operation,
  listOptions: ListOptions,
  config: ClientConfig,
): ListCall<T> {
  const { limit, cursor: start, ...options } = listOptions
  const { method, path } = operation
  const load = async (cursor: string | undefined): Promise<ApiResponse<Page<T>>> => {
    const call: Call = {
      ...options,
      method,
      label: path,
      path,
      query: writeQuery({ limit, cursor }),
    }
    const answer = await send(call, config)
    const page = readList<T>(answer, call)
    return respond(answer, page, page)
  }
  return listCall(load, start, config.maxPages, `${method} ${path}`)
}

const METHOD = /^[A-Z]{1,20}$/

async function callAny<T>(
  method: string,
  path: string,
  { query = {}, body, ...options }: RequestOptions,
  config: ClientConfig,
): Promise<ApiResponse<T>> {
  const name = typeof method === 'string' ? method.toUpperCase() : ''
  if (!METHOD.test(name))
    throw new ClientError(
      'invalid_parameter',
      'request: the method must be one of HTTP, such as GET.',
    )
  if (body !== undefined && (name === 'GET' || name === 'HEAD')) {
    throw new ClientError('invalid_parameter', `request: ${name} takes no body; give a query.`)
  }
  const call: Call = {
    ...options,
    method: name,
    label: 'request()',
    path: checkPath(path),
    query: writeQuery(query),
    json: body,
  }
  const answer = await send(call, config)
  const value = answer.body.text === '' ? undefined : readJson(answer, call)
  return respond(answer, value as T, value)
}

function respond<T>(answer: Answer, data: T, envelope: unknown): ApiResponse<T> {
  const { status, headers, attempts } = answer
  return { data, requestId: requestIdOf(answer, envelope), response: { status, headers }, attempts }
}
