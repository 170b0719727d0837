import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pasted } from './paste.ts'
import { runOrThrow } from './run-program.ts'
import { startSampleApi } from './sample-api.ts'

/** Type-checks pasted programs with the configuration of the project. @throws with the errors */
export async function typeCheck(project: string, pasted: readonly Pasted[]): Promise<void> {
  const folders = [...new Set(pasted.map(({ path }) => path.split('/')[0]))]
  writeFileSync(
    join(project, 'tsconfig.pages.json'),
    JSON.stringify({ extends: './tsconfig.json', include: [...folders, 'src', 'test'] }),
  )
  await runOrThrow(project, 'npx', ['tsc', '-p', 'tsconfig.pages.json'])
}

/** An app that needs nothing of the reader. */
export function isApp({ block: { code } }: Pasted): boolean {
  return /^export (?:default|const app =) sidecard\b/m.test(code) && !/^declare /m.test(code)
}

/** Opens an issue in each app. @throws if an outcome is not the one that its page claims */
export async function openApps(project: string, apps: readonly Pasted[]): Promise<void> {
  const script = OPEN_ISSUES.replace('<url>', await startSampleApi())
  writeFileSync(join(project, 'open-issues.js'), script)
  const files = apps.map(({ path }) => `./${path}`)
  const output = await runOrThrow(project, 'node', ['open-issues.js', ...files])
  const outcomes = JSON.parse(/^OUTCOMES (.+)$/m.exec(output)?.[1] ?? '[]') as readonly unknown[]
  const wrong = apps.flatMap(({ path, marks: { outcome = 'rendered' } }, index) =>
    outcomes[index] === outcome
      ? []
      : [`${path}: ${String(outcomes[index])} instead of ${outcome}`],
  )
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
}

/** Runs a program that prints something. @throws if it is not what its page claims */
export async function runPrinting(project: string, { path, marks }: Pasted): Promise<void> {
  const output = await runOrThrow(project, 'node', [path])
  if (marks.shows !== undefined && !output.includes(marks.shows)) {
    throw new Error(`The output does not contain "${marks.shows}":\n${output}`)
  }
}

/** Opens an issue in each app, as the service does, and prints the outcomes. */
const OPEN_ISSUES = `
import { createTestService } from 'sidecard/testing'

process.env.SIDECARD_SECRET = 'secret'
const env = { SIDECARD_SECRET: 'secret', API_URL: '<url>' }
const headers = { 'x-sidecard-secret': 'secret' }
const outcomes = []
for (const path of process.argv.slice(2)) {
  const module = await import(path)
  const service = createTestService(module.default ?? module.app, { env, headers })
  const { outcome } = await service.openIssue({ account_id: 'acc_northwind' })
  outcomes.push(outcome)
}
console.log('OUTCOMES ' + JSON.stringify(outcomes))
process.exit(0)
`
