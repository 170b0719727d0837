/**
 * `npm run generate`: writes each file that follows from another one. A test fails if one of them
 * is out of date. `node scripts/generate.ts contract schemas` runs two of the generators.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The texts of files, by path. */
type Files = Readonly<Record<string, string>>

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/**
 * The generators, in order: each one is imported when it runs, because its source imports files
 * that an earlier one writes.
 */
const GENERATORS: Readonly<Record<string, () => Promise<Files>>> = {
  async linter() {
    const { createLinterConfig } = await import('./layer-rules.ts')
    return { '.oxlintrc.json': createLinterConfig() }
  },
  async contract() {
    const { renderContractFiles } = await import('./contract/generated-files.ts')
    return inFolder('src/runtime/contract/generated', Object.entries(renderContractFiles()))
  },
  async schemas() {
    const { createPayloadJsonSchema } = await import('./payload-json-schema.ts')
    const { createConfigJsonSchema } = await import('./config-json-schema.ts')
    return {
      'schema/1.0.0.json': json(createPayloadJsonSchema()),
      'schema/config.json': json(createConfigJsonSchema()),
    }
  },
  async openapi() {
    const { createOpenApiDocument } = await import('./openapi-document.ts')
    return { 'schema/openapi.json': json(createOpenApiDocument()) }
  },
  async checks() {
    const { renderCheckDocs } = await import('./check-docs.ts')
    return inFolder('docs/checks', renderCheckDocs())
  },
  async reference() {
    const { renderReference } = await import('./reference-text.ts')
    return { 'docs/reference.md': renderReference() }
  },
  async help() {
    const { updateCliPage } = await import('./cli-help.ts')
    return { 'docs/cli.md': await updateCliPage(readFileSync('docs/cli.md', 'utf8')) }
  },
  async stack() {
    const { updateStackPage } = await import('../test/stack/matrix.ts')
    const path = 'docs/guides/with-your-stack.md'
    return { [path]: updateStackPage(readFileSync(path, 'utf8')) }
  },
  async troubleshooting() {
    const { renderTroubleshooting } = await import('./troubleshooting-text.ts')
    return { 'docs/troubleshooting.md': renderTroubleshooting() }
  },
  async examples() {
    const { readExampleFiles } = await import('./example-files.ts')
    const files: Record<string, string> = {}
    for (const [name, project] of await readExampleFiles()) {
      rmSync(`examples/${name}`, { recursive: true, force: true })
      for (const { path, content } of project) files[`examples/${name}/${path}`] = content
    }
    return files
  },
  async index() {
    const { renderDocsIndex } = await import('./llms-text.ts')
    return { 'docs/README.md': renderDocsIndex() }
  },
}

function inFolder(folder: string, files: Iterable<readonly [string, string]>): Files {
  return Object.fromEntries(Array.from(files, ([name, text]) => [`${folder}/${name}`, text]))
}

process.chdir(new URL('..', import.meta.url).pathname)
const chosen = process.argv.slice(2)
for (const name of chosen.length > 0 ? chosen : Object.keys(GENERATORS)) {
  const generate = GENERATORS[name]
  if (generate === undefined) {
    throw new Error(`No generator is named ${name}. Use ${Object.keys(GENERATORS).join(', ')}.`)
  }
  // oxlint-disable-next-line no-await-in-loop -- a generator reads what the earlier ones wrote
  const files = await generate()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
