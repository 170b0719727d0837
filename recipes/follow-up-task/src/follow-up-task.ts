import { calendarDate, fields } from 'sidecard'
import { action, ActionError, dateField, selectField, textField } from 'sidecard/actions'
import { ApiError, ClientError, createClient, type Fetch } from 'sidecard/client'
import * as z from 'zod/mini'

/** The variables of the action. */
export interface TaskEnv {
  readonly SIDECARD_API_URL?: string | undefined
  readonly SIDECARD_API_TOKEN?: string | undefined
}

/**
 * Creates an action that creates a follow-up task in the service, for the account
 * of the issue: once per issue, whichever link is opened.
 *
 * @param fetch calls the API; a test passes its own
 */
export function createFollowUpTask(fetch?: Fetch) {
  const connect = ({ SIDECARD_API_URL: baseUrl, SIDECARD_API_TOKEN: accessToken }: TaskEnv) => {
    if (!baseUrl || !accessToken) throw new ActionError('The service API is not set up.')
    return createClient({ baseUrl, accessToken, ...(fetch && { fetch }) })
  }
  return action<TaskEnv>()({
    name: 'follow-up-task',
    label: 'Create follow-up task',
    input: z.object({}),
    async form(ctx) {
      const users = await connect(ctx.env).users.list().toArray({ max: 500 })
      const names = users.flatMap(({ id, name, email }) => (id ? [[id, name ?? email ?? id]] : []))
      const options: Record<string, string> = Object.fromEntries(names)
      return {
        title: textField({ label: 'Title', maxLength: 200 }),
        details: textField({ label: 'Details', maxLength: 2_000, multiline: true, optional: true }),
        due: dateField({ label: 'Due', min: dayFromNow(0), value: dayFromNow(7) }),
        assignee: selectField({ label: 'Assignee', options, optional: true }),
      }
    },
    summary: (_input, { title, due }) => `Create "${title}", due ${calendarDate(due)}`,
    show: ({ params }) =>
      fields({
        Customer: params.requester_email ?? params.account_id,
        Issue: params.issue_id,
      }),
    async run(ctx, _input, { title, details, due, assignee }) {
      const { account_id } = ctx.params
      const task = {
        title,
        body_html: toHtml(details ?? '', ctx.agent?.email),
        due_date: new Date(due),
        ...(account_id !== undefined && { account_id }),
        ...(assignee !== undefined && { assignee_id: assignee }),
      }
      try {
        const { id } = await connect(ctx.env).tasks.create(task, { signal: ctx.signal })
        return fields({ Task: id, Due: calendarDate(due) })
      } catch (error) {
        if (!hasCreatedNothing(error)) throw error
        throw new ActionError('The service did not accept the task.', { cause: error })
      }
    },
    uniqueKey: (_input, { issue_id }) => `issue ${issue_id}`,
    // A second task costs little, so agents wait a short time. The API has no search for tasks: an
    // agent looks for the task, and then states the outcome.
    lateMs: 10_000,
  })
}

/** The action for an app. */
export const followUpTask = createFollowUpTask()

/** After any other error, the outcome is unknown: the request may have arrived. */
function hasCreatedNothing(error: unknown): boolean {
  if (error instanceof ApiError) return error.status < 500
  return error instanceof ClientError && error.reason === 'ECONNREFUSED'
}

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

function toHtml(details: string, agent: string | undefined): string {
  const lines = [...details.split('\n'), agent === undefined ? '' : `Created by ${agent}`]
  return lines
    .filter((line) => line !== '')
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
