import { Hono } from 'hono'
import { expectTypeOf, test } from 'vitest'
import { noAuth, sidecard, text } from 'sidecard'
import { createTestService, replay } from 'sidecard/testing'
import type { EndpointFailure, OpenedIssue } from 'sidecard/testing'

interface Env {
  readonly SECRET: string
  readonly DB: { query(sql: string): Promise<unknown> }
}

const options = {
  header: { title: 'Billing' },
  auth: noAuth(),
  fetchData: () => [text({ label: 'Plan', value: 'Gold' })],
}
const typed = sidecard<Env>(options)
const mounted = new Hono<{ Bindings: Env }>()
const plain = sidecard(options)
const recording = {
  recording: 1,
  request: { params: {}, headerNames: [] },
  response: { status: 200, body: {} },
}
const worker = {
  fetch: (_request: Request, _env: Env) => new Response(),
}

/** Code that the compiler rejects. An unused `@ts-expect-error` is an error. */
function rejected(): void {
  // @ts-expect-error a binding of another type
  createTestService(typed, { env: { SECRET: 7 } })
  // @ts-expect-error a binding that the app does not have
  createTestService(typed, { env: { SECRETT: 'x' } })
  // @ts-expect-error the same for a Hono app around it
  createTestService(mounted, { env: { SECRET: 7 } })
  // @ts-expect-error the same for a Worker
  createTestService(worker, { env: { SECRET: 7 } })
  // @ts-expect-error an ID that the contract does not have
  void createTestService(typed).openIssue({ acount_id: 'a' })
  // @ts-expect-error not an app
  createTestService({})
}

test('the environment of a test is part of the app’s bindings', () => {
  expectTypeOf(rejected).toBeFunction()
  expectTypeOf(
    createTestService(typed, { env: { SECRET: 's' } }).openIssue,
  ).returns.resolves.toEqualTypeOf<OpenedIssue>()
  createTestService(mounted, { env: { SECRET: 's' } })
  createTestService(plain, { env: { ANYTHING: 's' } })
  createTestService(worker, { env: { SECRET: 's' } })
  createTestService({ fetch: () => new Response() })
  createTestService('http://127.0.0.1:8787', { headers: { 'x-key': 's' } })
  createTestService(replay(recording))
})

test('a failure has an error with a message', () => {
  expectTypeOf<NonNullable<EndpointFailure['error']>['message']>().toBeString()
})
