import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  bin,
  isAlive,
  type RunningProcess,
  startDev,
  startProcess,
  temporaryFolder,
} from '../../helpers/dev-command.ts'

const GROUP = fileURLToPath(new URL('../../fixtures/dev-group.mjs', import.meta.url))
const WAITING = ['--url', 'http://127.0.0.1:9']

/** Reads the process IDs of the dev server and its child, and ends them after a failed test. */
async function readGroup({ until }: RunningProcess): Promise<readonly number[]> {
  const [, ...pids] = await until(/pids (\d+) (\d+)\r?\n/)
  const group = pids.map(Number)
  onTestFinished(() => {
    for (const pid of group) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
  expect(group.every(isAlive)).toBe(true)
  return group
}

async function expectAllGone(pids: readonly number[]): Promise<void> {
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), {
    timeout: 20_000,
    interval: 50,
  })
}

describe('no process is left behind', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'on %s',
    async (signal) => {
      const dev = startDev(temporaryFolder(), ...WAITING, '--', process.execPath, GROUP)
      const pids = await readGroup(dev)
      dev.child.kill(signal)
      expect(await dev.exit).toEqual([0, null])
      await expectAllGone(pids)
    },
    30_000,
  )

  test('on SIGTERM, if the dev server ignores it', async () => {
    const args = [...WAITING, '--', process.execPath, GROUP, 'stubborn']
    const dev = startDev(temporaryFolder(), ...args)
    const pids = await readGroup(dev)
    dev.child.kill('SIGTERM')
    expect(await dev.exit).toEqual([0, null])
    await expectAllGone(pids)
  }, 30_000)

  test('on a second signal, which ends the command immediately', async () => {
    const args = [...WAITING, '--', process.execPath, GROUP, 'stubborn']
    const dev = startDev(temporaryFolder(), ...args)
    const pids = await readGroup(dev)
    dev.child.kill('SIGINT')
    // Two signals that are not handled yet count as one.
    await dev.until(/ignores SIGTERM/)
    dev.child.kill('SIGINT')
    // The exit code is 0 if it waits for the group.
    expect(await dev.exit).toEqual([130, null])
    await expectAllGone(pids)
  }, 30_000)

  test.each(['', 'stubborn'])(
    'on SIGKILL of the command itself, with a dev server %s',
    async (kind) => {
      const args = [...WAITING, '--', process.execPath, GROUP, ...(kind === '' ? [] : [kind])]
      const dev = startDev(temporaryFolder(), ...args)
      const pids = await readGroup(dev)
      dev.child.kill('SIGKILL')
      expect(await dev.exit).toEqual([null, 'SIGKILL'])
      await expectAllGone(pids)
    },
    30_000,
  )

  test('when the command exits and leaves a process', async () => {
    const program = `
      const { spawn } = require('node:child_process')
      const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
      console.log('pids', process.pid, pid)
      setTimeout(() => process.exit(0), 300)`
    const dev = startDev(temporaryFolder(), ...WAITING, '--', process.execPath, '-e', program)
    const pids = await readGroup(dev)
    expect(await dev.exit).toEqual([0, null])
    await expectAllGone(pids)
  }, 30_000)

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'on %s of npm alone',
    async (signal) => {
      const folder = temporaryFolder()
      const node = JSON.stringify(process.execPath)
      const script = `${node} ${JSON.stringify(bin)} dev --port 0 ${WAITING.join(' ')} -- ${node} ${JSON.stringify(GROUP)}`
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { dev: script } }))
      const npm = startProcess('npm', ['run', 'dev'], { cwd: folder, detached: true })
      const pids = await readGroup(npm)
      const command = Number(
        execFileSync('ps', ['-o', 'pid=,args=', '-e'], { encoding: 'utf8' })
          .split('\n')
          .find((line) => line.includes(bin) && line.includes(GROUP) && !/\bsh -c\b|npm/.test(line))
          ?.trim()
          .split(' ')[0],
      )
      npm.child.kill(signal)
      await npm.exit
      await expectAllGone([...pids, command])
    },
    30_000,
  )

  test('when its output is closed', async () => {
    const folder = temporaryFolder()
    const command = [process.execPath, bin, 'dev', '--port', '0', ...WAITING, '--']
    const chatty = "console.log('pid', process.pid); setInterval(() => console.log('more'), 20)"
    const quoted = [...command, process.execPath, '-e', chatty].map((each) => `'${each}'`).join(' ')
    // "head" ends after two lines. Its status would hide that of the command.
    const shell = startProcess(
      'bash',
      [
        '-c',
        `set -o pipefail; ${quoted.replaceAll("'pid'", '"pid"').replaceAll("'more'", '"more"')} | head -n 3`,
      ],
      { cwd: folder },
    )
    const [, pid] = await shell.until(/pid (\d+)/)
    await shell.exit
    await expectAllGone([Number(pid)])
  }, 30_000)

  test('when its terminal is closed', async () => {
    const folder = temporaryFolder()
    const command = [
      process.execPath,
      bin,
      'dev',
      '--port',
      '0',
      ...WAITING,
      '--',
      process.execPath,
      GROUP,
    ]
    const terminal = startProcess('script', ['-qefc', command.join(' '), '/dev/null'], {
      cwd: folder,
    })
    const pids = await readGroup(terminal)
    terminal.child.kill('SIGKILL')
    await terminal.exit
    await expectAllGone(pids)
  }, 30_000)
})
