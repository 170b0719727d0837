import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test, vi } from 'vitest'
import { type TemplateName, TEMPLATES } from '../../src/tools/cli/new/templates.ts'
import { startProcess } from '../helpers/dev-command.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { moveToPort } from '../helpers/move-to-port.ts'
import { migratedDatabase } from '../helpers/migrated-database.ts'
import { createScaffold } from '../helpers/scaffold.ts'

/** Ways of saving a file that editors and tools use. */
const SAVES: readonly (readonly [string, (file: string, text: string) => void])[] = [
  ['in place', (file, text) => writeFileSync(file, text)],
  ['a rename over the file', replace],
  ['a rename over the file, again', replace],
  [
    'a backup and a new file, as vim does',
    (file, text) => {
      renameSync(file, `${file}~`)
      writeFileSync(file, text)
      rmSync(`${file}~`)
    },
  ],
  [
    'sed -i',
    (file, text) => {
      const [, title = ''] = /title: '(.*?)'/.exec(text) ?? []
      execFileSync('sed', ['-i', `s/title: '[^']*'/title: '${title}'/`, file])
    },
  ],
  [
    'a removed and a new file',
    (file, text) => {
      rmSync(file)
      writeFileSync(file, text)
    },
  ],
  [
    'another folder with the same name',
    (file, text) => {
      const folder = join(file, '..')
      cpSync(folder, `${folder}-new`, { recursive: true })
      writeFileSync(join(`${folder}-new`, 'sidebar.ts'), text)
      renameSync(folder, `${folder}-old`)
      renameSync(`${folder}-new`, folder)
      rmSync(`${folder}-old`, { recursive: true })
    },
  ],
  ['a rename in the new folder', replace],
  ['in place in the new folder', (file, text) => writeFileSync(file, text)],
  [
    'git checkout',
    (file) => execFileSync('git', ['checkout', '--quiet', file], { cwd: join(file, '..') }),
  ],
]

function replace(file: string, text: string): void {
  writeFileSync(`${file}.tmp`, text)
  renameSync(`${file}.tmp`, file)
}

function commitAll(cwd: string): void {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd })
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'user.name=Test', '-c', 'user.email=t@example.com', 'commit', '--quiet', '-m', 'first')
}

/**
 * Saves the files of a project in many ways. Each template has its own test file, so that they run
 * at the same time.
 */
export function testSaves(name: TemplateName): void {
  const { host } = TEMPLATES.find((template) => template.name === name) ?? {}
  const secretsFile = host?.secretsFile ?? ''
  test(`each save reloads the template ${name}, and so does a save of its secrets`, async () => {
    const project = await createScaffold(name)
    const { folder } = project
    commitAll(folder)
    const port = String(await findFreePort())
    moveToPort(folder, Number(port))
    const database = name === 'node-postgres' ? await migratedDatabase(project) : {}
    const { until, output, child, exit } = startProcess(
      'npm',
      ['run', '--silent', 'dev', '--', '--port', '0', '--json'],
      { cwd: folder, env: { PORT: port, ...database } },
    )
    await until(/"event":"ready"/)
    const secrets = join(folder, secretsFile)
    const secret = () => parseEnv(readFileSync(secrets, 'utf8'))['SIDECARD_SECRET'] ?? ''
    const url = `http://127.0.0.1:${port}/?request_type=fetch_data&account_id=acc_northwind`
    const title = async () => {
      const response = await fetch(url, { headers: { 'x-sidecard-secret': secret() } })
      return ((await response.json()) as { header: { title: string } }).header.title
    }
    const reloads = () => output().match(/"event":"reloaded"/g)?.length ?? 0
    /** Waits for the event of a reload. From then on, the new code responds. */
    const expectReload = async (save: () => void, expected: string) => {
      const before = reloads()
      save()
      await vi.waitFor(() => expect(reloads()).toBeGreaterThan(before), { timeout: 100_000 })
      expect(await title()).toBe(expected)
    }
    const file = join(folder, 'src/sidebar.ts')
    const original = readFileSync(file, 'utf8')
    for (const [index, [way, save]] of SAVES.entries()) {
      const expected = way === 'git checkout' ? 'Customer' : `Title ${index}`
      const text = original.replace("title: 'Customer'", `title: '${expected}'`)
      // oxlint-disable-next-line no-await-in-loop -- one save after another
      await expectReload(() => save(file, text), expected)
    }
    await expectReload(() => appendFileSync(secrets, '\n# saved\n'), 'Customer')
    const changed = readFileSync(secrets, 'utf8').replace(
      /^SIDECARD_SECRET=.*$/m,
      'SIDECARD_SECRET=other',
    )
    await expectReload(() => replace(secrets, changed), 'Customer')
    child.kill('SIGTERM')
    await exit
    // npm may end before sidecard, which notices it.
    await vi.waitFor(() => expect(fetch(url)).rejects.toThrow('fetch failed'), { timeout: 50_000 })
  }, 600_000)
}
