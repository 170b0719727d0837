import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { bundlePackage } from '../../scripts/bundle-package.ts'
import { writeFunctionServer } from './call-functions.ts'
import { hostOf, type Program } from './matrix.ts'
import { commandOf, readSections, type Section, writeFiles } from './sections.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const PACKAGES = ['@vercel/functions', 'express', 'fastify', ...Object.keys(manifest.dependencies)]

/** The files that `src/server.ts` of the page about deploying imports. */
const PROJECT = {
  'src/customers.ts': 'export const getCustomers = undefined\n',
  'src/sidebar.ts': `import { app } from './app.ts'\nexport const createApp = (_: unknown) => app\n`,
}

/** A folder with the bundled package, in which the blocks of the pages find their imports. */
export async function createHostProject(): Promise<{ folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-matrix-'))
  const installed = join(folder, 'node_modules/sidecard')
  await bundlePackage(join(installed, 'dist'))
  copyFileSync(join(root, 'package.json'), join(installed, 'package.json'))
  for (const name of PACKAGES) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Returns the part of a page that shows a host. */
function sectionOf({ host }: Program): Section {
  const { guide, title } = hostOf(host)
  const page = new URL(`../../docs/guides/${guide}.md`, import.meta.url)
  const section = readSections(page).find((each) => each.title === title)
  if (section === undefined) throw new Error(`${guide}.md has no section ${title}.`)
  return section
}

/**
 * Writes the block of a host with the app of the matrix.
 *
 * @returns the command that starts it
 */
export function writeProgram(
  folder: string,
  program: Program,
  port: number,
  env: Readonly<Record<string, string>>,
): readonly string[] {
  const section = sectionOf(program)
  const { parser, isFunction } = hostOf(program.host)
  const edits: Array<readonly [string, string]> = [
    ["hostname: '0.0.0.0'", "hostname: '127.0.0.1'"],
    ...(program.reader === 'a parser of the host' && parser !== undefined ? [parser] : []),
  ]
  const blocks = section.blocks.map((block) => ({
    ...block,
    code: edits.reduce((code, [from, to]) => code.replace(from, to), block.code),
  }))
  if (program.reader === 'a parser of the host') expect(blocks).not.toEqual(section.blocks)
  mkdirSync(join(folder, 'src'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  for (const [path, code] of Object.entries(PROJECT)) writeFileSync(join(folder, path), code)
  copyFileSync(new URL('matrix-app.ts', import.meta.url), join(folder, 'src/app.ts'))
  writeFiles({ ...section, blocks }, folder)
  if (isFunction) {
    writeFunctionServer(folder, program.host)
    return ['node', 'function-server.ts']
  }
  const settings = blocks.find(({ file }) => file === 'wrangler.jsonc')
  if (settings === undefined) return commandOf(section, 'server')
  writeWorker(folder, settings.code, env)
  const options = ['--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0']
  return ['wrangler', 'dev', ...options, '--show-interactive-dev-session', 'false']
}

/** Adds the variables and a database to the settings of the page, and a single-page application. */
function writeWorker(folder: string, settings: string, env: Readonly<Record<string, string>>) {
  const database = { binding: 'DB', database_name: 'receipts', database_id: 'receipts' }
  const all = { ...JSON.parse(settings), vars: env, d1_databases: [database] }
  writeFileSync(join(folder, 'wrangler.jsonc'), JSON.stringify(all))
  mkdirSync(join(folder, 'public'))
  writeFileSync(join(folder, 'public/index.html'), '<h1>A single-page application</h1>')
}
