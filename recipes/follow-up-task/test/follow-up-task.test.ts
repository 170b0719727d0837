import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noAuth, sidecard } from 'sidecard'
import { actions, anyAgent, memoryClaims } from 'sidecard/actions'
import { createTestService } from 'sidecard/testing'
import { createFollowUpTask, type TaskEnv } from '../src/follow-up-task.ts'

const env = { SIDECARD_API_URL: 'https://api.example.com', SIDECARD_API_TOKEN: 't' }

/** Opens the page of the action for an issue, with an API that returns this status. */
async function open(status = 201) {
  const tasks: URLSearchParams[] = []
  const followUpTask = createFollowUpTask(async (url) => {
    tasks.push(new URL(url).searchParams)
    return Response.json({ data: { id: 'task_1' }, request_id: 'r' }, { status })
  })
  const app = sidecard<TaskEnv>({
    header: { title: 'Tasks' },
    auth: noAuth(),
    logger: false,
    fetchData: () => followUpTask.button({}),
    actions: actions({
      list: [followUpTask],
      secret: { binding: 'SIDECARD_ACTION_SECRET' },
      agent: anyAgent(),
      claims: memoryClaims(),
    }),
  })
  const service = createTestService(app, { env, agent: { email: 'robin@acme.example' } })
  const openPage = async () => {
    await service.openIssue({ issue_id: 'issue_7', account_id: 'acme' })
    return service.openAction('Create follow-up task')
  }
  return { tasks, openPage }
}

test('a follow-up task is created for the account of the issue, once', async () => {
  const { tasks, openPage } = await open()
  const page = await openPage()
  assert.match(page.text, /Issue: issue_7/)
  const { outcome, text } = await page.confirm({ title: 'Call back', details: 'About <billing>' })
  assert.equal(outcome, 'done')
  assert.match(text, /Task: task_1/)
  assert.equal(tasks[0]?.get('account_id'), 'acme')
  assert.equal(
    tasks[0]?.get('body_html'),
    '<p>About &lt;billing&gt;</p><p>Created by robin@acme.example</p>',
  )
  assert.equal((await openPage()).title, 'Already done')
  assert.equal(tasks.length, 1)
})

test('a task that the service rejects can be tried again, and another error cannot', async () => {
  const rejected = await (await open(422)).openPage()
  assert.equal((await rejected.confirm({ title: 'x' })).outcome, 'refused')
  const failed = await (await open(500)).openPage()
  assert.equal((await failed.confirm({ title: 'x' })).outcome, 'unknown')
})
