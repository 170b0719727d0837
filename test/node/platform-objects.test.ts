import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectOutput } from '../helpers/collect-output.ts'

// In its own process, because the host replaces the globals once.
const SERVER = new URL('../fixtures/platform-objects-server.ts', import.meta.url).pathname
const child = spawn('node', [SERVER], { stdio: 'pipe' })
let urls: readonly (string | undefined)[]

beforeAll(async () => {
  const [, ...found] = await collectOutput(child).until(/(http\S+) (http\S+)\n/)
  urls = found
})
afterAll(() => child.kill('SIGKILL'))

test.each([0, 1])(
  'objects of the platform and of the host are instances of Response and Request, in server %i',
  async (index) => {
    expect(await (await fetch(`${urls[index]}/instances`)).json()).toEqual({
      fetched: true,
      request: true,
      platformRequest: true,
      created: true,
      json: true,
      createdIsPlatform: true,
      subclass: true,
      lateSubclass: true,
      fetchedIsSubclass: false,
      object: false,
      nothing: false,
    })
  },
)

test('a response of fetch() can be copied and sent', async () => {
  const response = await fetch(`${urls[0]}/copy`)
  expect([await response.text(), response.headers.get('x-copy')]).toEqual(['text', '1'])
})

test('a request can be copied', async () => {
  expect(await (await fetch(`${urls[0]}/request`)).text()).toBe('new')
})
