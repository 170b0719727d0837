import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { CONTROL_PREFIX, TOKEN_HEADER } from '../../../src/tools/emulator/protocol/workspace.ts'
import { openSources } from '../../../src/tools/emulator/store/source-files.ts'

let project = ''
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'sidecard-source-'))
  mkdirSync(join(project, 'src'))
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`)
  writeFileSync(join(project, 'src/app.ts'), lines.join('\n'))
  writeFileSync(join(project, '.env'), 'SIDECARD_SECRET=canary')
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

async function start(projectDir: string | undefined = project) {
  const emulator = createEmulator(projectDir === undefined ? {} : { projectDir })
  onTestFinished(() => emulator.close())
  const { url } = await emulator.listen()
  const page = await (await fetch(`${url}/`)).text()
  const token = /<meta name="sidecard-token" content="(\w+)"/.exec(page)?.[1] ?? ''
  return (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${url}${CONTROL_PREFIX}source/${path}`, {
      method: 'POST',
      headers: { [TOKEN_HEADER]: token, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
}

describe('the lines around an error', () => {
  test.each([
    [6, 3, ['line 3', 'line 4', 'line 5', 'line 6', 'line 7', 'line 8', 'line 9']],
    [1, 1, ['line 1', 'line 2', 'line 3', 'line 4']],
    [12, 9, ['line 9', 'line 10', 'line 11', 'line 12']],
    [900, 897, []],
  ])('around line %i start at line %i', async (line, first, lines) => {
    const post = await start()
    const response = await post('frame', { file: 'src/app.ts', line })
    expect(await response.json()).toEqual({ first, lines })
  })

  test.each(['.env', 'src', '../x.ts', '/etc/passwd', 'src/none.ts', 'src/link.ts', '', 'a\0.ts'])(
    'are not read from %j',
    async (file) => {
      const outside = mkdtempSync(join(tmpdir(), 'sidecard-outside-'))
      onTestFinished(() => rmSync(outside, { recursive: true, force: true }))
      writeFileSync(join(outside, 'secret.ts'), 'canary')
      symlinkSync(join(outside, 'secret.ts'), join(project, 'src/link.ts'))
      const post = await start()
      for (const path of ['frame', 'open']) {
        // oxlint-disable-next-line no-await-in-loop -- one request after another
        const response = await post(path, { file, line: 1 })
        expect([400, 404]).toContain(response.status)
        // oxlint-disable-next-line no-await-in-loop -- as above
        expect(await response.text()).not.toContain('canary')
      }
    },
  )

  test('need the token of the page, and no other site can ask for them', async () => {
    const post = await start()
    const body = { file: 'src/app.ts', line: 1 }
    expect((await post('open', body, { [TOKEN_HEADER]: 'x' })).status).toBe(401)
    expect((await post('open', body, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post('open', body, { 'content-type': 'text/plain' })).status).toBe(415)
  })
})

describe('Open in editor', () => {
  test('opens the file at the position', async () => {
    const opened: string[] = []
    const sources = openSources(project, (file: string) => {
      opened.push(file)
    })
    await sources.openInEditor({ file: 'src/app.ts', line: 6, column: 2 })
    expect(opened).toEqual([expect.stringMatching(/src\/app\.ts:6:2$/)])
  })

  test('says how to set an editor if none is found', async () => {
    const sources = openSources(project, (_file, _editor, onError) => onError())
    await expect(sources.openInEditor({ file: 'src/app.ts', line: 1 })).rejects.toMatchObject({
      code: 'no_editor',
      message: 'No editor was found. Start your editor, or set LAUNCH_EDITOR to its command.',
    })
  })
})
