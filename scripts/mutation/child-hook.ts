/**
 * Preloaded (`node --import`) into the processes that tests start: the source
 * has the mutants there too. Notes which ones the process runs, at once, since it
 * may be killed.
 */
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { readPlan, runFolder } from './plan.ts'

const folder = runFolder()
const root = new URL('../../', import.meta.url)
const sources = new Map(
  Object.entries(readPlan(folder).sources).map(([file, source]) => [
    new URL(file, root).href,
    source,
  ]),
)

registerHooks({
  load(url, context, next) {
    const source = sources.get(url)
    if (source === undefined) return next(url, context)
    return { format: 'module-typescript', source, shortCircuit: true }
  },
})

const test = process.env['MUTATION_RUNNING_TEST']
if (test !== undefined) {
  const notes = join(folder, 'children', `${test}.${process.pid}`)
  const hits = new Proxy<Record<PropertyKey, number>>(
    {},
    {
      set(target, mutant, count: number) {
        if (!(mutant in target)) appendFileSync(notes, `${String(mutant)}\n`)
        return Reflect.set(target, mutant, count)
      },
    },
  )
  Object.assign(globalThis, { __stryker__: { mutantCoverage: { static: hits, perTest: {} } } })
}
