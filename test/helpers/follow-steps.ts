import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Does what a printed step of `sidecard add` says: "In <file>, import … from …,
 * and add the section …: <code>." or "… the option …: <code>." @returns whether the step is one of these
 */
export function followStep(folder: string, step: string): boolean {
  const [, file, kind, code = ''] =
    /^In (src\/\S+\.ts), import .* add the (section|option).*?: (.+)\.$/.exec(step) ?? []
  if (file === undefined) return false
  const path = join(folder, file)
  const imports = [...step.matchAll(/(\w+)(?: and (\w+))? from '(\.\/[\w-]+\.ts)'/g)].map(
    ([, first, second, module]) =>
      `import { ${[first, second].filter((name) => name !== undefined).join(', ')} } from '${module}'\n`,
  )
  const before = readFileSync(path, 'utf8')
  const place = kind === 'section' ? /^ +overview\(customer, via\),$/m : /^ +header: .*,$/m
  const changed = before.replace(place, (line) => `${line}\n    ${code},`)
  if (changed === before) throw new Error(`The step cannot be followed: ${step}`)
  writeFileSync(path, imports.join('') + changed)
  return true
}
