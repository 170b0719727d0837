import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Does what a printed step of `sidecard add` says: "In <file>, import … from …,
 * and add the section …: <code>." @returns whether the step is one of these
 */
export function followStep(folder: string, step: string): boolean {
  const [, file, code = ''] =
    /^In (src\/\S+\.ts), import .* add the section.*?: (.+)\.$/.exec(step) ?? []
  if (file === undefined) return false
  const path = join(folder, file)
  const imports = [...step.matchAll(/(\w+)(?: and (\w+))? from '(\.\/[\w-]+\.ts)'/g)].map(
    ([, first, second, module]) =>
      `import { ${[first, second].filter((name) => name !== undefined).join(', ')} } from '${module}'\n`,
  )
  const before = readFileSync(path, 'utf8')
  const changed = code.startsWith('fetchData: ')
    ? before.replace(/fetchData: .*,$/m, () => `${code},`)
    : before.replace(/^ +ticketForms\(ctx\.env\),$/m, (line) => `    ${code},\n${line}`)
  if (changed === before) throw new Error(`The step cannot be followed: ${step}`)
  writeFileSync(path, imports.join('') + changed)
  return true
}
