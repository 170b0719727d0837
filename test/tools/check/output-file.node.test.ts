import { watch } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endpoint, HEADERS } from '../../fixtures/endpoints/reference.ts'
import { listenConcurrently } from '../../helpers/listen.ts'
import { runCheck as run } from './helpers.ts'

const listen = listenConcurrently()

const KEY = `x-key: ${HEADERS['x-key']}`

describe.concurrent('sidecard check --output', () => {
  it.each(['human', 'json', 'junit', 'github'])(
    'overwrites its own report, and no other file: %s',
    async (reporter) => {
      const url = await listen(endpoint())
      const file = join(await mkdtemp(join(tmpdir(), 'sidecard-check-')), 'report.txt')
      const args = [url, '-H', KEY, '--only', 'reachable', '--reporter', `${reporter}=${file}`]
      expect(await run(args)).toMatchObject({ exitCode: 0 })
      expect(await run(args)).toMatchObject({ exitCode: 0 })
      const notes = 'Run `npx sidecard check` first.'
      await writeFile(file, notes)
      const { stderr, exitCode } = await run(args)
      expect(exitCode).toBe(2)
      expect(stderr).toContain('exists and is not a report')
      expect(await readFile(file, 'utf8')).toBe(notes)
    },
  )

  it('creates no file before the end of the check, which would restart sidecard dev', async ({
    expect,
    onTestFinished,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), 'sidecard-check-'))
    const seen: string[] = []
    const watcher = watch(folder, (_event, name) => void seen.push(String(name)))
    onTestFinished(() => watcher.close())
    const during = new Set<number>()
    const url = await listen(
      endpoint({
        before() {
          during.add(seen.length)
          return false
        },
      }),
    )
    await run([url, '-H', KEY, '--json', '--output', join(folder, 'report.json')])
    await expect.poll(() => seen).toContain('report.json')
    expect([...during]).toEqual([0])
  })
})
