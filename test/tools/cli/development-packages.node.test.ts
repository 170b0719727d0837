import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { cli } from '../../helpers/cli.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidecard-install-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const write = (path: string, content: unknown) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
}

/** Starts a registry that has an empty package for each name, in one version. */
async function startRegistry(version: string): Promise<string> {
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url ?? '').slice(1)
    if (name.endsWith('.tgz')) {
      write(`${name}/package/package.json`, { name: name.slice(0, -4), version })
      response.end(execFileSync('tar', ['-cz', 'package'], { cwd: join(folder, name) }))
      return
    }
    const tarball = `http://${request.headers.host}/${name}.tgz`
    const versions = { [version]: { name, version, dist: { tarball } } }
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('sidecard add keeps the development packages, even if npm is set to production', async () => {
  const registry = await startRegistry('2.1.9')
  write('kept/package.json', { name: 'kept', version: '1.0.0' })
  write('app/package.json', {
    private: true,
    dependencies: { sidecard: 'file:../kept', zod: 'file:../kept' },
    devDependencies: { kept: 'file:../kept' },
  })
  const quiet = ['loglevel=silent', 'audit=false', 'update-notifier=false']
  write('app/.npmrc', [`registry=${registry}`, 'omit=dev', ...quiet, ''].join('\n'))
  vi.stubEnv('NODE_ENV', 'production')
  vi.stubEnv('npm_config_production', 'true')
  vi.stubEnv('npm_config_omit', 'dev')
  vi.stubEnv('npm_config_cache', join(folder, 'cache'))
  const app = join(folder, 'app')
  const { exitCode, stdout } = await cli(['add', 'http-source', '--json'], { cwd: app })
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { packages: ['ky'], isInstalled: true }])
  expect(existsSync(join(app, 'node_modules', 'ky'))).toBe(true)
  expect(existsSync(join(app, 'node_modules', 'kept'))).toBe(true)
})

// pnpm reads the setting of npm. Yarn 1 reads the variable, and later versions reject the flag.
test.runIf(process.platform !== 'win32').each([
  ['npm', 'install --include=dev'],
  ['pnpm', 'install --prod=false'],
  ['yarn', 'install NPM_CONFIG_PRODUCTION=false'],
  ['bun', 'install'],
])('sidecard new tells %s to install the development packages', async (manager, expected) => {
  const program = `#!/bin/sh\necho "$@" > calls.txt; env | grep -i '^npm_config_production=' >> calls.txt; true\n`
  write(`bin/${manager}`, program)
  execFileSync('chmod', ['+x', join(folder, 'bin', manager)])
  vi.stubEnv('PATH', [join(folder, 'bin'), process.env['PATH']].join(delimiter))
  vi.stubEnv('npm_config_production', manager === 'yarn' ? 'true' : undefined)
  const { exitCode } = await cli(['new', 'x', '--no-git', '--pm', manager], { cwd: folder })
  expect(exitCode).toBe(0)
  const calls = readFileSync(join(folder, 'x', 'calls.txt'), 'utf8')
  expect(calls.trim().split(/\s+/).join(' ')).toBe(expected)
})
