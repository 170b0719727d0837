import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** The parts of the code that depend on the components. */
const COPIED = [
  'src',
  'schema',
  'scripts',
  'test/builders',
  'test/helpers',
  'test/e2e/postgres.ts',
  'tsconfig.json',
  'vitest.config.ts',
  'package.json',
]

const GAUGE = `
/** The schema of a gauge. */
export const gaugeSchema = z
  .strictObject({
    type: z.literal('gauge'),
    label,
    percent: z.string().describe('The filled part.'),
  })
  .describe('A label with a gauge.')
`

test('the compiler reports every place that a new component in the schema affects', async () => {
  const folder = mkdtempSync(join(root, '.scratch-'))
  try {
    for (const path of COPIED) cpSync(join(root, path), join(folder, path), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const file = join(folder, 'src/contract/payload.ts')
    const schema = readFileSync(file, 'utf8')
    const edited = schema
      .replace(/(?=\n\/\*\* The schema of a \{@link CardChild\})/, GAUGE)
      .replaceAll('    dividerSchema,\n', '    dividerSchema,\n    gaugeSchema,\n')
    expect(edited.match(/gaugeSchema/g)).toHaveLength(3)
    writeFileSync(file, edited)

    await run(process.execPath, ['scripts/generate-contract.ts'], { cwd: folder })
    const read = (name: string) =>
      readFileSync(join(folder, 'src/contract/generated', name), 'utf8')
    expect(read('vocabulary.ts')).toContain('gauge: {')
    expect(read('types.ts')).toContain('export interface Gauge {')
    expect(read('encode.ts')).toContain('function writeGauge(')

    expect(await filesWithTypeErrors(folder)).toEqual([
      // The code that the playground shows.
      'src/emulator/builder-code.ts',
      'src/emulator/ui/playground/component-templates.ts',
      'src/emulator/ui/sidebar/component.tsx',
      'src/render/component-lines.ts',
      'src/render/render-html.ts',
      // The builder, and payloads for the property tests.
      'test/builders/agreement.test.ts',
      'test/helpers/payload-arbitraries.ts',
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 120_000)

async function filesWithTypeErrors(folder: string): Promise<string[]> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const output = await run(process.execPath, [tsc, '-p', 'tsconfig.json', '--pretty', 'false'], {
    cwd: folder,
  }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  )
  const files = output.split('\n').map((line) => /^(\S+)\(\d+,\d+\): error/.exec(line)?.[1] ?? '')
  return [...new Set(files)].filter((file) => file !== '').toSorted()
}
