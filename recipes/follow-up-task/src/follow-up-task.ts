import { fields } from 'sidecard'
import { action, ActionError, numberField, textField } from 'sidecard/actions'
import { ApiError, createClient, type Fetch } from 'sidecard/client'
import * as z from 'zod/mini'

/** The variables of the service's API. */
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
  return action<TaskEnv>()({
    name: 'follow-up-task',
    label: 'Create follow-up task',
    input: z.object({}),
    form: {
      title: textField({ label: 'Title', maxLength: 200 }),
      details: textField({ label: 'Details', maxLength: 2_000, multiline: true, optional: true }),
      days: numberField({ label: 'Due in days', min: 1, max: 90, value: 7 }),
      assignee: textField({ label: 'Assign to (user ID)', maxLength: 100, optional: true }),
    },
    show: (ctx) => fields({ Issue: ctx.require('issue_id'), Account: ctx.params.account_id }),
    async run(ctx, _input, { title, details, days, assignee }) {
      const { SIDECARD_API_URL: baseUrl, SIDECARD_API_TOKEN: accessToken } = ctx.env
      if (!baseUrl || !accessToken) throw new ActionError('The service API is not set up.')
      const due = new Date(Date.now() + days * 86_400_000)
      const { account_id } = ctx.params
      const client = createClient({
        baseUrl,
        accessToken,
        signal: ctx.signal,
        ...(fetch && { fetch }),
      })
      const fieldsOfTask = {
        title,
        body_html: toHtml(details ?? '', ctx.agent?.email),
        due_date: due,
        ...(account_id !== undefined && { account_id }),
        ...(assignee !== undefined && { assignee_id: assignee }),
      }
      try {
        const task = await client.tasks.create(fieldsOfTask)
        return fields({ Task: task.id, Due: due })
      } catch (error) {
        // A rejected request has created nothing. After another error, the outcome is unknown.
        if (!(error instanceof ApiError) || error.status >= 500) throw error
        throw new ActionError('The service rejected the task.', { cause: error })
      }
    },
    once: (_input, { issue_id }) => `issue ${issue_id}`,
  })
}

/** The action for an app. */
export const followUpTask = createFollowUpTask()

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
