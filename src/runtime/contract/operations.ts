import type { ResourceName } from './resources.ts'

/**
 * The eight operations of the service's API, as one table. The client, the
 * emulator and `schema/openapi.json` derive from it. It is plain data, so that the
 * client does not need zod.
 *
 * @see docs/contract.md#api
 */

/** A parameter of an operation. */
export interface OperationParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly type: 'string' | 'boolean'
  readonly required: boolean
  readonly description: string
  /** The allowed values, if the contract lists them. */
  readonly values?: readonly string[]
  readonly format?: 'date-time' | 'html'
  readonly default?: boolean
}

/** One operation of the API. Its path is relative to the base URL. */
export interface Operation {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  readonly parameters: readonly OperationParameter[]
  /** `single`: `data` is one object; `list`: an array of them, with `pagination`. */
  readonly response: { readonly envelope: 'single' | 'list'; readonly resource: ResourceName }
}

/** The values of a task's `status`. */
export const TASK_STATUSES = ['not_started', 'in_progress', 'completed'] as const

const text = (name: string, description: string): OperationParameter => ({
  name,
  in: 'query',
  type: 'string',
  required: false,
  description,
})

const list = (path: string, summary: string, resource: ResourceName): Operation => ({
  method: 'GET',
  path,
  summary,
  parameters: [],
  response: { envelope: 'list', resource },
})

/** Every operation by its ID. */
export const OPERATIONS = {
  createTask: {
    method: 'POST',
    path: '/tasks',
    summary: 'Create a task. Its fields are query parameters; the request has no body.',
    parameters: [
      { ...text('title', 'Title of the task.'), required: true },
      { ...text('body_html', 'Body of the task, as HTML.'), format: 'html' },
      text('milestone_id', 'Milestone that the task belongs to.'),
      { ...text('status', 'Status of the task.'), values: TASK_STATUSES },
      {
        ...text('customer_portal_visible', 'Whether the customer sees the task in the portal.'),
        type: 'boolean',
        default: false,
      },
      { ...text('due_date', 'When the task is due (RFC 3339).'), format: 'date-time' },
      text('assignee_id', 'User that the task is assigned to.'),
      text('account_id', 'Account that the task belongs to.'),
      text('project_id', 'Project that the task belongs to.'),
    ],
    response: { envelope: 'single', resource: 'task' },
  },
  listTicketForms: list('/ticket-forms', 'List ticket forms.', 'ticket_form'),
  redactMessage: {
    method: 'POST',
    path: '/issues/{id}/messages/{message_id}/redact',
    summary: 'Redact a message of an issue.',
    parameters: [
      { ...text('id', 'ID of the issue.'), in: 'path', required: true },
      { ...text('message_id', 'ID of the message.'), in: 'path', required: true },
    ],
    response: { envelope: 'single', resource: 'message' },
  },
  listUsers: list('/users', 'List users.', 'user'),
  listKnowledgeBases: list('/knowledge-bases', 'List knowledge bases.', 'knowledge_base'),
  listTeams: list('/teams', 'List teams.', 'team'),
  listTags: list('/tags', 'List tags.', 'tag'),
  listUserRoles: list('/user-roles', 'List user roles.', 'user_role'),
} as const satisfies Record<string, Operation>

/** The ID of one of the eight operations. */
export type OperationId = keyof typeof OPERATIONS
