import { describe, expect, test } from 'vitest'
import { echo, start } from './control.ts'

describe('the inspector over the control routes', () => {
  test('pauses, clears, saves and shows the console', async () => {
    const { control, emulator } = await start()
    await emulator.apps.create({ name: 'Echo', target: echo })
    await emulator.issues.open('iss_1042')
    const read = async (path: string): Promise<any> => (await control(path)).json()
    const [newest] = await read('exchanges')

    const saved = await control(`exchanges/${newest.id}/save`, { body: {} })
    expect(saved.status).toBe(409)
    expect(await saved.json()).toMatchObject({ code: 'no_project' })
    const body = { file: 'src/index.ts', line: 1 }
    const frame = await control('source/frame', { body })
    expect(await frame.json()).toMatchObject({ status: 409, code: 'no_project' })
    expect(await read('state')).toMatchObject({
      project: null,
      devServer: null,
    })

    expect((await control('exchanges', { method: 'DELETE' })).status).toBe(204)
    expect(await read('exchanges')).toEqual([])

    emulator.console.append({ stream: 'stdout', text: 'hello' })
    expect(await read('console')).toMatchObject([{ text: 'hello' }])
    expect((await control('console', { method: 'DELETE' })).status).toBe(204)
    expect(await read('console')).toEqual([])
  })

  test('runs all states and opens with a group, a customer and custom IDs', async () => {
    const { control, emulator } = await start()
    await emulator.apps.create({ name: 'Echo', target: echo })
    emulator.project.set({ customers: { Ada: { ids: { account_id: 'a' } } } })
    const run = await control('issues/iss_1042/states', { method: 'POST', body: {} })
    expect(await run.json()).toMatchObject({
      group: { kind: 'states' },
      states: [{ kind: 'customer', name: 'Ada' }],
    })
    const group = { id: 'save_1', kind: 'save' }
    const body = { group, customer: 'Ada', params: { requester_id: null } }
    const opened = await control('issues/iss_1042/open', { body })
    expect(await opened.json()).toMatchObject({
      widgets: [{ customer: 'Ada', exchange: { group, isCustom: true } }],
    })
    for (const wrong of [
      { params: { request_type: 'verify' } },
      { params: { account_id: 1 } },
      { group: { id: '../x', kind: 'save' } },
      { sections: { Orders: 'nope' } },
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one body after another
      expect((await control('issues/iss_1042/open', { body: wrong })).status).toBe(400)
    }
  })

  test('shows the status of the dev server', async () => {
    const { control, emulator } = await start()
    const status = {
      state: 'failed',
      message: 'your command failed (exit code 1)',
      location: { file: 'src/app.ts', line: 3, column: 1 },
      excerpt: 'SyntaxError',
    } as const
    emulator.devServer.set(status)
    expect(await (await control('state')).json()).toMatchObject({ devServer: status })
  })
})
