import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { RUNTIMES } from './environment.ts'
import { root } from './root.ts'
import { reachesRegistry, runOrThrow } from './run-program.ts'

/** The packed package, installed where a user would have it. */
export interface Installed {
  /** A clean folder outside the repository. */
  readonly folder: string
  readonly tarball: string
  /** The program of the packed CLI. */
  readonly cli: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Null without a package registry. All tests are then skipped. */
    installed: Installed | null
  }
}

/** Packs the package as `npm publish` does, and installs it, once for all files. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  mkdirSync(RUNTIMES, { recursive: true })
  for (const name of ['bun', 'deno']) {
    rmSync(join(RUNTIMES, name), { force: true })
    symlinkSync(join(root, 'node_modules/.bin', name), join(RUNTIMES, name))
  }
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-installed-'))
  if (!(await reachesRegistry())) {
    process.stderr.write(
      'The package registry cannot be reached: npm run test:installed is skipped.\n',
    )
    provide('installed', null)
    return () => rmSync(folder, { recursive: true, force: true })
  }
  await runOrThrow(root, 'npm', ['pack', '--silent', '--pack-destination', folder])
  const tarball = join(folder, `sidecard-${await readVersion()}.tgz`)
  const options = ['--prefix', join(folder, 'tool'), '--no-audit', '--no-fund']
  await runOrThrow(folder, 'npm', ['install', ...options, tarball])
  provide('installed', { folder, tarball, cli: join(folder, 'tool/node_modules/.bin/sidecard') })
  return () => rmSync(folder, { recursive: true, force: true })
}

async function readVersion(): Promise<string> {
  const url = new URL('../../package.json', import.meta.url)
  const { default: manifest } = (await import(url.href, { with: { type: 'json' } })) as {
    default: { version: string }
  }
  return manifest.version
}
