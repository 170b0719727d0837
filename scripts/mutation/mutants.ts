import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** One change of the source that a test should notice. */
export interface Mutant {
  readonly id: string
  readonly file: string
  readonly line: number
  /** The text of the line. */
  readonly code: string
  readonly mutator: string
  readonly original: string
  readonly replacement: string
}

interface Position {
  readonly line: number
  readonly column: number
}

/** The part of Stryker's instrumenter that is used here. */
interface Instrumenter {
  instrument(
    files: readonly { name: string; mutate: boolean; content: string }[],
    options: { plugins: null; excludedMutations: string[]; ignorers: unknown[] },
  ): Promise<{
    files: { name: string; content: string }[]
    mutants: {
      id: string
      fileName: string
      location: { start: Position; end: Position }
      mutatorName: string
      replacement: string
    }[]
  }>
}

/**
 * Creates every mutant of these files, with Stryker's instrumenter, and the
 * source of each file with all its mutants in it, switched off.
 */
export async function createMutants(
  files: readonly string[],
): Promise<{ mutants: Mutant[]; sources: Record<string, string> }> {
  const contents = new Map(files.map((name) => [name, readFileSync(name, 'utf8')]))
  const result = await (
    await loadInstrumenter()
  ).instrument(
    files.map((name) => ({ name, mutate: true, content: contents.get(name) ?? '' })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  )
  return {
    mutants: result.mutants.map(({ id, fileName, location, mutatorName, replacement }) => ({
      id,
      file: fileName,
      line: location.start.line + 1,
      code: (contents.get(fileName) ?? '').split('\n')[location.start.line]?.trim() ?? '',
      mutator: mutatorName,
      original: textAt(contents.get(fileName) ?? '', location),
      replacement,
    })),
    sources: Object.fromEntries(result.files.map(({ name, content }) => [name, content])),
  }
}

/** Chooses `count` mutants; the same seed chooses the same ones. */
export function chooseSample(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const random = mulberry32(seed)
  return mutants
    .map((mutant) => ({ mutant, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ mutant }) => mutant)
}

async function loadInstrumenter(): Promise<Instrumenter> {
  const path = createRequire(import.meta.url).resolve('@stryker-mutator/instrumenter')
  const { Instrumenter: Constructor } = (await import(pathToFileURL(path).href)) as {
    Instrumenter: new (logger: object) => Instrumenter
  }
  return new Constructor({ debug() {}, info() {}, isDebugEnabled: () => false })
}

function textAt(content: string, { start, end }: { start: Position; end: Position }): string {
  const lines = content.split('\n').slice(start.line, end.line + 1)
  const last = lines.length - 1
  lines[last] = (lines[last] ?? '').slice(0, end.column)
  lines[0] = (lines[0] ?? '').slice(start.column)
  return lines.join('\n')
}

function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}
