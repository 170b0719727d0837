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
import {
  anything,
  integer,
  kind,
  readOptions,
  record,
  withDefault,
} from '../internal/read-options.ts'
import { assertSafePath, toPathSegment } from './base-url.ts'
import { type Page, parseEnvelope, parseJson } from './envelope.ts'
import { ClientError } from './errors.ts'
import { createListCall, type ListCall, type ListOptions } from './list-call.ts'
import {
  CALL_KINDS,
  type CallOptions,
  type ClientConfig,
  type ClientOptions,
  resolveClientOptions,
} from './options.ts'
import { type Query, serializeQuery, validateFields } from './query.ts'
import { type Call, send } from './transport.ts'

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
  /** The query parameters. */
  readonly query?: Query | undefined
  /** Sent as JSON. */
  readonly body?: unknown
}

/** A client of the service's API. @see docs/client.md */
export interface Client {
  readonly tasks: {
    /** Creates a task. Its fields are sent in the URL, which must not exceed 16,000 bytes. */
    create(task: CreateTask, options?: CallOptions): Promise<Task>
  }
  readonly ticketForms: { list(options?: ListOptions): ListCall<TicketForm> }
  readonly messages: {
    /** Redacts a message of an issue. */
    redact(
      message: { readonly issue_id: string; readonly message_id: string },
      options?: CallOptions,
    ): Promise<Message>
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
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<T>
}

/**
 * Creates a client of the service's API.
 *
 * It only retries a write if the API returned 429, and does not follow redirects.
 * The access token never appears in a message, an error or a log line.
 *
 * @throws {SidecardError} `invalid_options`
 * @throws {ClientError} `invalid_access_token` for a token that is empty or invalid in a header
 * @see docs/client.md
 * @example
 * const client = createClient({ baseUrl: env.API_URL, accessToken: env.API_TOKEN, signal: ctx.signal })
 * for await (const user of client.users.list()) console.log(user.name)
 */
export function createClient(options: ClientOptions): Client {
  const config = resolveClientOptions(options)
  const list =
    <T>(id: OperationId, name: string) =>
    (listOptions: ListOptions = {}) =>
      listOperation<T>(OPERATIONS[id], `client.${name}.list`, listOptions, config)
  return {
    tasks: { create: (task, callOptions = {}) => createTask(task, callOptions, config) },
    ticketForms: { list: list('listTicketForms', 'ticketForms') },
    messages: {
      redact: (message, callOptions = {}) => redactMessage(message, callOptions, config),
    },
    users: { list: list('listUsers', 'users') },
    knowledgeBases: { list: list('listKnowledgeBases', 'knowledgeBases') },
    teams: { list: list('listTeams', 'teams') },
    tags: { list: list('listTags', 'tags') },
    userRoles: { list: list('listUserRoles', 'userRoles') },
    request: <T>(method: string, path: string, requestOptions: RequestOptions = {}) =>
      sendCustomRequest<T>(method, path, requestOptions, config),
  }
}

async function createTask(
  task: CreateTask,
  options: CallOptions,
  config: ClientConfig,
): Promise<Task> {
  const { method, path, parameters } = OPERATIONS.createTask
  const query = serializeQuery(validateFields({ ...task }, parameters))
  const { signal } = readOptions('client.tasks.create', options, CALL_KINDS)
  return sendSingle({ method, label: path, path, query, signal }, config)
}

async function redactMessage(
  ids: { readonly issue_id: string; readonly message_id: string },
  options: CallOptions,
  config: ClientConfig,
): Promise<Message> {
  const { issue_id, message_id } = { ...ids }
  const { method, path: label } = OPERATIONS.redactMessage
  const path = label
    .replace('{id}', () => toPathSegment('issue_id', issue_id))
    .replace('{message_id}', () => toPathSegment('message_id', message_id))
  const { signal } = readOptions('client.messages.redact', options, CALL_KINDS)
  return sendSingle({ method, label, path, signal }, config)
}

async function sendSingle<T>(call: Call, config: ClientConfig): Promise<T> {
  const response = await send(call, config)
  return parseEnvelope<{ readonly data: T }>(response, call, 'object').data
}

const LIST_KINDS = {
  ...CALL_KINDS,
  limit: integer(1, Infinity),
  cursor: kind<string>(
    'a non-empty string: the pagination.cursor of an earlier page',
    (value) => typeof value === 'string' && value !== '',
  ),
}

function listOperation<T>(
  { method, path }: Operation,
  caller: string,
  listOptions: ListOptions,
  config: ClientConfig,
): ListCall<T> {
  const named = { method, label: path }
  const fetchPage = async (cursor: string | undefined): Promise<Page<T>> => {
    const { limit, signal } = readOptions(caller, listOptions, LIST_KINDS)
    const query = serializeQuery({ limit, cursor })
    return parseEnvelope(await send({ ...named, path, query, signal }, config), named, 'array')
  }
  // The first page reports invalid options.
  return createListCall(fetchPage, listOptions?.cursor, config.maxPages, named)
}

const REQUEST_KINDS = { ...CALL_KINDS, query: withDefault(record, {}), body: anything }
const METHOD = /^[A-Z]{1,20}$/

async function sendCustomRequest<T>(
  givenMethod: string,
  givenPath: string,
  options: RequestOptions,
  config: ClientConfig,
): Promise<T> {
  const { query, body: json, signal } = readOptions('client.request', options, REQUEST_KINDS)
  const method = typeof givenMethod === 'string' ? givenMethod.toUpperCase() : ''
  if (!METHOD.test(method)) {
    throw new ClientError('invalid_parameter', 'client.request: use an HTTP method, such as GET.')
  }
  if (json !== undefined && (method === 'GET' || method === 'HEAD')) {
    const problem = `client.request: ${method} does not accept a body; use query.`
    throw new ClientError('invalid_parameter', problem)
  }
  const path = assertSafePath(givenPath)
  const call = { method, label: 'request()', path, query: serializeQuery(query), json, signal }
  const response = await send(call, config)
  return (response.body.text === '' ? undefined : parseJson(response, call)) as T
}
