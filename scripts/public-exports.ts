import { fileURLToPath } from 'node:url'
// The classic compiler API, which TypeScript 7 does not have.
import ts from 'typescript-5'
import { firstSentence } from './first-sentence.ts'
import { ENTRIES } from './package-entries.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** The names that an entry of the package exports, sorted. */
export interface PublicEntry {
  readonly entry: string
  readonly exports: ReadonlyArray<{ readonly name: string; readonly symbol: ts.Symbol }>
}

interface PublicExports {
  readonly checker: ts.TypeChecker
  readonly entries: readonly PublicEntry[]
}

let cached: PublicExports | undefined

/** Reads the exports of every entry from the sources, once. */
export function readPublicExports(): PublicExports {
  return (cached ??= read())
}

function read(): PublicExports {
  const files = ENTRIES.map(([, file]) => `${ROOT}${file}`)
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    strict: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ['node'],
    skipLibCheck: true,
  })
  const checker = program.getTypeChecker()
  const entries = ENTRIES.map(([entry, file]) => {
    const source = program.getSourceFile(`${ROOT}${file}`)
    const module = source && checker.getSymbolAtLocation(source)
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module)
    const exports = symbols
      .map((exported) => ({ name: exported.name, symbol: resolve(exported, checker) }))
      .sort((left, right) => (left.name < right.name ? -1 : 1))
    return { entry, exports }
  })
  return { checker, entries }
}

function resolve(exported: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
}

/** Returns the first sentence of a symbol's documentation, on one line. */
export function sentenceOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  return firstSentence(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\{@link (\w+) ?\}/g, '`$1`')
}
