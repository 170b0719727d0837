import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { Place } from './marks.ts'
import type { MarkedBlock } from './pages.ts'

/** A block in a project. */
export interface Pasted extends MarkedBlock {
  /** Relative to the project. */
  readonly path: string
}

/** The templates of a program: both hosts, unless the page says which. */
function templatesOf({ marks }: MarkedBlock): readonly Place[] {
  return marks.in === undefined ? ['workers', 'node'] : [marks.in]
}

/** Returns the programs of a template, each with the blocks that continue it. */
export function programsFor(template: Place, blocks: readonly MarkedBlock[]): MarkedBlock[] {
  const programs: MarkedBlock[] = []
  for (const each of blocks) {
    const last = programs.at(-1)
    if (each.marks.continued === true && last !== undefined) {
      const code = `${last.block.code}\n${each.block.code}`
      programs[programs.length - 1] = { ...last, block: { ...last.block, code } }
    } else if (each.block.language !== 'sh') programs.push(each)
  }
  return programs.filter((each) => templatesOf(each).includes(template))
}

/** Pastes the programs of a page exactly where it says, as a reader of this page alone does. */
export function pasteExactly(project: string, programs: readonly MarkedBlock[]): void {
  for (const { block, marks } of programs) {
    if (marks.file === undefined) continue
    const path = join(project, marks.file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, block.code)
  }
}

/**
 * Pastes programs where their page says, or into `src`. If the project already
 * has that file, the program gets another name in the same folder, so that the
 * programs of all pages can be type-checked in one run. The other programs of its
 * page then import that one.
 */
export function paste(project: string, programs: readonly MarkedBlock[]): readonly Pasted[] {
  const taken = new Set<string>()
  const pasted = programs.map((each) => {
    const { block, marks } = each
    const own = `${block.page.replaceAll(/\W+/g, '-')}-line-${block.line}`
    const wanted = marks.file ?? `src/${own}.ts`
    const isTaken = taken.has(wanted) || existsSync(join(project, wanted))
    const path = isTaken ? join(dirname(wanted), `${own}${extname(wanted)}`) : wanted
    taken.add(path)
    return { ...each, wanted, path }
  })
  for (const { block, path } of pasted) {
    const neighbors = pasted.filter((other) => other.block.page === block.page)
    const code = block.code.replaceAll(/(?<= from ')\.[^']+/g, (specifier) => {
      const target = join(dirname(path), specifier)
      const moved = neighbors.find(({ wanted }) => wanted === target)?.path ?? target
      return moved === target ? specifier : specifier.replace(/[^/]+$/, basename(moved))
    })
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), code)
  }
  return pasted
}
