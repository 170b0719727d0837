import { type OperationId, OPERATIONS } from '../contract/operations.ts'
import type { Resources } from '../contract/resources.ts'
import {
  anything,
  integer,
  readOptions,
  record,
  text,
  withDefault,
} from '../internal/read-options.ts'
import { assertSafePath, toPathSegment } from './base-url.ts'
import { type Page, parseEnvelope, parseJson } from './envelope.ts'
import { ClientError } from './errors.ts'
import { createListCall, type ListCall, type ListOptions } from './list-call.ts'
import {
  CALL_KINDS,
  type CallOptions,
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
  /** The body, which is sent as JSON. */
  readonly body?: unknown
}

/** A client of the service's API. @see docs/client.md */
export interface Client {
  readonly tasks: {
    /** Creates a task. Its fields are sent in the URL, which must not exceed 16,000 bytes. */
    create(task: CreateTask, options?: CallOptions): Promise<Resources['task']>
  }
  readonly ticketForms: { list(options?: ListOptions): ListCall<Resources['ticket_form']> }
  readonly messages: {
    /** Redacts a message of an issue. */
    redact(
      message: { readonly issue_id: string; readonly message_id: string },
      options?: CallOptions,
    ): Promise<Resources['message']>
  }
  readonly users: { list(options?: ListOptions): ListCall<Resources['user']> }
  readonly knowledgeBases: { list(options?: ListOptions): ListCall<Resources['knowledge_base']> }
  readonly teams: { list(options?: ListOptions): ListCall<Resources['team']> }
  readonly tags: { list(options?: ListOptions): ListCall<Resources['tag']> }
  readonly userRoles: { list(options?: ListOptions): ListCall<Resources['user_role']> }
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
 * The access token never appears in an error.
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
  const sendSingle = async <T>(call: Call): Promise<T> =>
    parseEnvelope<{ readonly data: T }>(await send(call, config), call, 'object').data

  const list =
    <T>(id: OperationId, name: string) =>
    (listOptions: ListOptions = {}): ListCall<T> => {
      const { method, path } = OPERATIONS[id]
      const named = { method, label: path }
      const fetchPage = async (cursor: string | undefined): Promise<Page<T>> => {
        const { limit, signal } = readOptions(`client.${name}.list`, listOptions, LIST_KINDS)
        const query = serializeQuery({ limit, cursor })
        return parseEnvelope(await send({ ...named, path, query, signal }, config), named, 'array')
      }
      // Fetching the first page reports invalid options.
      return createListCall(fetchPage, listOptions?.cursor, config.maxPages, named)
    }

  return {
    tasks: {
      async create(task, callOptions = {}) {
        const { method, path, parameters } = OPERATIONS.createTask
        const query = serializeQuery(validateFields({ ...task }, parameters))
        const { signal } = readOptions('client.tasks.create', callOptions, CALL_KINDS)
        return sendSingle({ method, label: path, path, query, signal })
      },
    },
    ticketForms: { list: list('listTicketForms', 'ticketForms') },
    messages: {
      async redact(message, callOptions = {}) {
        const { issue_id, message_id } = { ...message }
        const { method, path: label } = OPERATIONS.redactMessage
        const path = label
          .replace('{id}', () => toPathSegment('issue_id', issue_id))
          .replace('{message_id}', () => toPathSegment('message_id', message_id))
        const { signal } = readOptions('client.messages.redact', callOptions, CALL_KINDS)
        return sendSingle({ method, label, path, signal })
      },
    },
    users: { list: list('listUsers', 'users') },
    knowledgeBases: { list: list('listKnowledgeBases', 'knowledgeBases') },
    teams: { list: list('listTeams', 'teams') },
    tags: { list: list('listTags', 'tags') },
    userRoles: { list: list('listUserRoles', 'userRoles') },
    async request<T>(givenMethod: string, givenPath: string, requestOptions: RequestOptions = {}) {
      const read = readOptions('client.request', requestOptions, REQUEST_KINDS)
      const { query, body: json, signal } = read
      const method = assertMethod(givenMethod, json)
      const path = assertSafePath(givenPath)
      const call = { method, label: 'request()', path, query: serializeQuery(query), json, signal }
      const response = await send(call, config)
      return (response.body.text === '' ? undefined : parseJson(response, call)) as T
    },
  }
}

const LIST_KINDS = { ...CALL_KINDS, limit: integer(1, Infinity), cursor: text }
const REQUEST_KINDS = { ...CALL_KINDS, query: withDefault(record, {}), body: anything }

/** @throws {ClientError} `invalid_parameter` */
function assertMethod(given: unknown, body: unknown): string {
  const method = typeof given === 'string' ? given.toUpperCase() : ''
  const problem = !/^[A-Z]{1,20}$/.test(method)
    ? 'use an HTTP method, such as GET'
    : body !== undefined && (method === 'GET' || method === 'HEAD')
      ? `${method} does not accept a body; use query`
      : undefined
  if (problem === undefined) return method
  throw new ClientError('invalid_parameter', `client.request: ${problem}.`)
}
