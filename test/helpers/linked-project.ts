import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cli } from './cli.ts'
import { bin, temporaryFolder } from './dev-command.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Creates a project from a template, as installed: with the packages of this
 * repository, the source of sidecard as its package, and a git repository. It is
 * removed after the test.
 *
 * @returns the folder
 */
export async function createLinkedProject(template: string): Promise<string> {
  const parent = temporaryFolder()
  const options = ['--template', template, '--no-install', '--no-git', '--yes']
  const { exitCode, stderr } = await cli(['new', 'app', ...options], { cwd: parent })
  if (exitCode !== 0) throw new Error(stderr)
  const folder = join(parent, 'app')
  linkPackages(join(folder, 'node_modules'))
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder })
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'user.name=Test', '-c', 'user.email=t@example.com', 'commit', '--quiet', '-m', 'first')
  return folder
}

function linkPackages(folder: string): void {
  const bins = join(folder, '.bin')
  const own = join(folder, 'sidecard')
  for (const each of [bins, own]) mkdirSync(each, { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(folder, name))
  }
  for (const name of readdirSync(join(root, 'node_modules/.bin'))) {
    symlinkSync(join(root, 'node_modules/.bin', name), join(bins, name))
  }
  writeFileSync(join(bins, 'sidecard'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
  chmodSync(join(bins, 'sidecard'), 0o755)
  const source = (name: string) => `./src/${name}/index.ts`
  const manifest = {
    name: 'sidecard',
    type: 'module',
    exports: {
      '.': './src/index.ts',
      './testing': source('service'),
      './package.json': './package.json',
      ...Object.fromEntries(
        ['actions', 'cache', 'node', 'client', 'emulator', 'check'].map((name) => [
          `./${name}`,
          source(name),
        ]),
      ),
    },
  }
  writeFileSync(join(own, 'package.json'), JSON.stringify(manifest))
  symlinkSync(join(root, 'src'), join(own, 'src'))
}
