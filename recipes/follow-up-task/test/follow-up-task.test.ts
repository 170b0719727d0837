import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noAuth, sidecard } from 'sidecard'
import { actions, anyAgent, memoryReceipts } from 'sidecard/actions'
import { createTestService } from 'sidecard/testing'
import { createFollowUpTask, type TaskEnv } from '../src/follow-up-task.ts'

const env = { SIDECARD_API_URL: 'https://api.example.com', SIDECARD_API_TOKEN: 't' }

/** Opens the page of the action for an issue, with an API that returns this status. */
function start(status = 201) {
  const api = { status, tasks: [] as URLSearchParams[] }
  const followUpTask = createFollowUpTask(async (url) => {
    const { pathname, searchParams } = new URL(url)
    const users = [{ id: 'user_7', name: 'Kim' }]
    const page = { data: users, pagination: { cursor: null, has_next_page: false } }
    if (pathname.endsWith('/users')) return Response.json({ ...page, request_id: 'r' })
    api.tasks.push(searchParams)
    const body = { data: { id: 'task_1' }, request_id: 'r' }
    return Response.json(body, { status: api.status })
  })
  const app = sidecard<TaskEnv>({
    name: 'tasks',
    header: { title: 'Tasks' },
    auth: noAuth(),
    logger: false,
    fetchData: () => followUpTask.button({}),
    actions: actions({
      list: [followUpTask],
      secret: { binding: 'SIDECARD_ACTION_SECRET' },
      signIn: anyAgent(),
      receipts: memoryReceipts(),
    }),
  })
  const service = createTestService(app, { env, agent: { email: 'robin@acme.example' } })
  const openPage = async () => {
    await service.openIssue({ issue_id: 'issue_7', account_id: 'acme' })
    return service.openAction('Create follow-up task')
  }
  return { api, openPage }
}

test('a follow-up task is created for the account of the issue, once', async () => {
  const { api, openPage } = start()
  const page = await openPage()
  assert.match(page.text, /Issue: issue_7/)
  const values = { title: 'Call back', details: 'About <billing>', due: '2099-03-01' }
  const { outcome, text } = await page.confirm({ ...values, assignee: 'user_7' })
  assert.equal(outcome, 'done')
  assert.match(text, /Create "Call back", due Mar 1, 2099/)
  assert.match(text, /Task: task_1/)
  const [task] = api.tasks
  assert.equal(task?.get('account_id'), 'acme')
  assert.equal(task?.get('assignee_id'), 'user_7')
  assert.equal(
    task?.get('body_html'),
    '<p>About &lt;billing&gt;</p><p>Created by robin@acme.example</p>',
  )
  assert.equal((await openPage()).title, 'Already done')
  assert.equal(api.tasks.length, 1)
})

test('a task that the service rejects can be tried again', async () => {
  const { api, openPage } = start(422)
  const page = await openPage()
  assert.equal((await page.confirm({ title: 'x' })).outcome, 'refused')
  api.status = 201
  assert.equal((await page.confirm({ title: 'x' })).outcome, 'done')
})

test('after an outage, an agent states the outcome', async () => {
  const { api, openPage } = start(500)
  assert.equal((await (await openPage()).confirm({ title: 'x' })).outcome, 'unknown')
  const page = await openPage()
  assert.equal(page.title, 'Outcome unknown')
  assert.match(page.text, /Confirmed by robin@acme\.example/)
  assert.equal(page.form, undefined)
  assert.equal(api.tasks.length, 1)
})
