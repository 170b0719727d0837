import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { collectOutput } from '../../helpers/collect-output.ts'

// In its own process, because the host replaces the globals once.
const SERVER = new URL('../../fixtures/platform-objects-server.ts', import.meta.url).pathname

const INSTANCES = {
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
}

test('objects of the platform and of the host are instances of Response and Request, and can be copied', async () => {
  const child = spawn('node', [SERVER], { stdio: 'pipe' })
  try {
    const [, first, second] = await collectOutput(child).until(/(http\S+) (http\S+)\n/)
    for (const url of [first, second]) {
      expect(await (await fetch(`${url}/instances`)).json()).toEqual(INSTANCES)
    }
    const copy = await fetch(`${first}/copy`)
    expect([await copy.text(), copy.headers.get('x-copy')]).toEqual(['text', '1'])
    expect(await (await fetch(`${first}/request`)).text()).toBe('new')
  } finally {
    child.kill('SIGKILL')
  }
})
