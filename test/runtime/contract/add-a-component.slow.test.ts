import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Follows src/runtime/contract/add-a-component.md in a copy of the repository. */

const root = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

/** The parts of the code that depend on the components. */
const COPIED = [
  'src',
  'schema',
  'scripts',
  'test/runtime/builders',
  'test/farm/misses.ts',
  'test/farm/record.ts',
  'test/stack/matrix.ts',
  'test/tools/check/encodings.ts',
  'test/tools/check/searched-forms.json',
  'test/helpers',
  'test/browser/helpers',
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
    value: z.number().describe('The filled part.'),
    is_estimate: z.boolean().describe('Whether the value is an estimate.').optional(),
    tags: z.array(z.string()).describe('Words below the gauge.').optional(),
    measured_at: dateTime.describe('When it was measured.').optional(),
  })
  .describe('A label with a gauge.')
`
const FOOTNOTE = `footnote: z.string().describe('A line below the value.').optional(),`

/** The files that the page names for a component. All but the tables are for it alone. */
const TABLES = [
  'src/runtime/render/component-lines.ts',
  'src/runtime/render/render-html.ts',
  'src/tools/workspace/parts/widget/component.tsx',
]
const PLACES = [
  'src/tools/workspace/playground/component-templates.ts',
  ...TABLES,
  'test/runtime/builders/agreement.test.ts',
  'test/helpers/payload-arbitraries.ts',
].toSorted()

/** Adds to a table of shown fields. */
const FIELD_EDIT: Edit = [/(?<=text: \{ label: [^}]*)(?= \},\n {2}date_time)/, ', footnote: false']
const TABLE_EDIT: Edit = [
  / {2}divider: \{\},\n/,
  '  gauge: { label: true, value: true, is_estimate: false, tags: false, measured_at: false },\n$&',
]
const BUILDER_EDIT: Edit = [/ {2}divider,\n\}/, '  gauge: (fields: never) => fields,\n$&']

type Edit = readonly [pattern: RegExp, replacement: string]

const EDITS: Readonly<Record<string, readonly Edit[]>> = {
  'src/tools/workspace/parts/widget/component.tsx': [
    TABLE_EDIT,
    [/ {4}case 'divider':/, "    case 'gauge':\n      return <p>{component.value}</p>\n$&"],
  ],
  'src/runtime/render/component-lines.ts': [
    TABLE_EDIT,
    [
      / {2}divider: \(/,
      '  gauge: ({ label, value }, place, context) => textLines(label, `${value}`, place, context),\n$&',
    ],
  ],
  'src/runtime/render/render-html.ts': [
    TABLE_EDIT,
    [/ {2}divider: \(/, '  gauge: ({ label, value }) => renderRow(label, `${value}`),\n$&'],
  ],
  'src/tools/workspace/playground/component-templates.ts': [
    [/ {2}divider: \{/, "  gauge: { type: 'gauge', label: 'Load', value: 1 },\n$&"],
  ],
  'test/runtime/builders/agreement.test.ts': [BUILDER_EDIT],
  'test/helpers/payload-arbitraries.ts': [[/ {2}divider,\n\}/, '  gauge: divider,\n$&']],
}

/** What a user of the new component and the new field sees; types are checked as well. */
const PROOF = `
import { gauge } from './runtime/builders/components/gauge.ts'
import { text } from './runtime/builders/components/text.ts'
import { validatePayload } from './runtime/contract/validate.ts'
import { encodePayload } from './runtime/contract/encode.ts'
import { builderCode } from './tools/emulator/builder-code.ts'
import type { Text } from './runtime/contract/generated/types.ts'

export const typed: Text = { type: 'text', label: '', value: '', footnote: 'f' }
// @ts-expect-error -- a footnote is a string
export const wrong: Text = { type: 'text', label: '', value: '', footnote: 7 }

function issues(build: () => unknown): unknown {
  try {
    return build()
  } catch (error) {
    return (error as Error).message
  }
}
const components = [
  gauge({ label: 'Load', value: 0.5, is_estimate: false, tags: ['a"', 'b'], measured_at: '2026-11-21T09:30:00Z' }),
  text({ label: 'Plan', value: 'Pro', footnote: 'billed yearly' }),
]
const payload = { version: '1.0.0', header: { title: '' }, components }
const encoded = encodePayload(payload)
console.log(JSON.stringify({
  components,
  json: encoded.ok ? encoded.json : encoded,
  code: builderCode(payload),
  issues: validatePayload({ ...payload, components: [
    { type: 'gauge', label: '', value: Number.NaN, is_estimate: 'no', tags: ['a', 7] },
    { type: 'gauge', label: '', value: '7' },
    { type: 'text', label: '', value: '', footnote: 7 },
  ] }),
  thrown: [
    issues(() => gauge({ label: '', value: Infinity })),
    issues(() => gauge({ label: '', value: null, tags: 'a' } as never)),
    issues(() => text({ label: '', value: '', footnote: 7 as never })),
  ],
}))
`

test('a component with fields of each kind, and a field of a component, need the edits that add-a-component.md lists', async () => {
  const folder = mkdtempSync(join(root, '.scratch-'))
  const edit = (path: string, ...edits: readonly Edit[]) => {
    let source = readFileSync(join(folder, path), 'utf8')
    for (const [pattern, replacement] of edits) {
      expect(source).toMatch(pattern)
      source = source.replace(pattern, replacement)
    }
    writeFileSync(join(folder, path), source)
  }
  const generate = async () => {
    await run(process.execPath, ['scripts/generate.ts', 'contract', 'schemas'], { cwd: folder })
  }
  try {
    for (const path of COPIED) cpSync(join(root, path), join(folder, path), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))

    // Add a field: each rendering says whether it shows the field.
    edit('src/runtime/contract/payload.ts', [
      /(?<=truncated\.'\),\n)(?= {4}icon_url: iconUrl)/,
      `    ${FOOTNOTE}\n`,
    ])
    await generate()
    expect(await filesWithTypeErrors(folder)).toEqual(TABLES)
    for (const path of TABLES) edit(path, FIELD_EDIT)

    // Add a component.
    edit(
      'src/runtime/contract/payload.ts',
      [/(?=\n\/\*\* The schema of a \{@link CardChild\})/, GAUGE],
      [/ {4}dividerSchema,\n/, '$&    gaugeSchema,\n'],
    )
    await generate()
    expect(await filesWithTypeErrors(folder)).toEqual(PLACES)
    for (const [path, edits] of Object.entries(EDITS)) edit(path, ...edits)
    const builder = readFileSync(join(folder, 'src/runtime/builders/components/text.ts'), 'utf8')
    writeFileSync(
      join(folder, 'src/runtime/builders/components/gauge.ts'),
      builder.replaceAll('Text', 'Gauge').replaceAll(/\btext\b/g, 'gauge'),
    )
    writeFileSync(join(folder, 'src/proof.ts'), PROOF)
    expect(await filesWithTypeErrors(folder)).toEqual([])

    const { stdout } = await run(process.execPath, ['src/proof.ts'], { cwd: folder })
    const gauge = {
      type: 'gauge',
      label: 'Load',
      value: 0.5,
      is_estimate: false,
      tags: ['a"', 'b'],
      measured_at: '2026-11-21T09:30:00Z',
    }
    const text = { type: 'text', label: 'Plan', value: 'Pro', footnote: 'billed yearly' }
    const components = [gauge, text]
    expect(JSON.parse(stdout)).toEqual({
      components,
      json: JSON.stringify({ version: '1.0.0', header: { title: '' }, components }),
      code: `import { gauge, payload, text } from 'sidecard'

payload({
  header: { title: '' },
  components: [
    gauge({
      label: 'Load',
      value: 0.5,
      is_estimate: false,
      tags: [
        'a"',
        'b',
      ],
      measured_at: '2026-11-21T09:30:00Z',
    }),
    text({ label: 'Plan', value: 'Pro', footnote: 'billed yearly' }),
  ],
})
`,
      issues: {
        ok: false,
        omittedCount: 0,
        issues: [
          issue('components[0].value', 'must be a number, got NaN', 'Use a number.'),
          issue(
            'components[0].is_estimate',
            'must be true or false, got a string',
            'Use true or false.',
          ),
          issue('components[0].tags[1]', 'must be a string, got a number', 'Write String(value).'),
          issue('components[1].value', 'must be a number, got a string', 'Write Number(value).'),
          issue('components[2].footnote', 'must be a string, got a number', 'Write String(value).'),
        ],
      },
      thrown: [
        'gauge(): value: must be a number, got Infinity. Use a number.',
        'gauge():\n  - value: must be a number, got null. Use a number.\n  - tags: must be an array of strings, got a string. Use an array of strings.',
        'text(): footnote: must be a string, got a number. Write String(value).',
      ],
    })
    const schema = JSON.parse(readFileSync(join(folder, 'schema/1.0.0.json'), 'utf8')) as {
      $defs: Record<string, { properties: Record<string, object> }>
    }
    expect(schema.$defs['text']?.properties['footnote']).toMatchObject({ type: 'string' })
    expect(schema.$defs['gauge']?.properties).toMatchObject({
      value: { type: 'number' },
      is_estimate: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 300_000)

function issue(path: string, message: string, fix: string) {
  return { path, code: 'invalid_type', message, fix }
}

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
