import { fileURLToPath } from 'node:url'
// The classic compiler API, which TypeScript 7 does not have.
import ts from 'typescript-5'
import { firstSentence } from './first-sentence.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

const ENTRIES = [
  ['sidecard', 'src/index.ts'],
  ['sidecard/cache', 'src/cache/index.ts'],
  ['sidecard/schema', 'src/contract/index.ts'],
  ['sidecard/node', 'src/node/index.ts'],
  ['sidecard/client', 'src/client/index.ts'],
  ['sidecard/emulator', 'src/emulator/index.ts'],
  ['sidecard/check', 'src/check/index.ts'],
  ['sidecard/testing', 'src/service/index.ts'],
] as const

/** One name that the package exports. */
export interface ExportedName {
  readonly entry: string
  readonly name: string
  readonly kind: 'function' | 'class' | 'constant' | 'type'
  /** The first sentence of its docstring. */
  readonly sentence: string
  /** The parameters of a function; empty for other exports. */
  readonly signature: string
}

/** Lists every name that the package exports, from the sources. */
export function listExportedNames(): readonly ExportedName[] {
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
  return ENTRIES.flatMap(([entry, file]) => {
    const source = program.getSourceFile(`${ROOT}${file}`)
    const module = source && checker.getSymbolAtLocation(source)
    return module === undefined
      ? []
      : checker
          .getExportsOfModule(module)
          .map((symbol) => describe(entry, symbol, checker))
          .sort((left, right) => (left.name < right.name ? -1 : 1))
  })
}

function describe(entry: string, exported: ts.Symbol, checker: ts.TypeChecker): ExportedName {
  const symbol =
    exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  return {
    entry,
    name: exported.name,
    kind: findKind(symbol),
    sentence: firstSentence(text)
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/\{@link (\w+) ?\}/g, '`$1`'),
    signature: renderSignature(symbol, checker),
  }
}

function findKind({ flags }: ts.Symbol): ExportedName['kind'] {
  if (flags & ts.SymbolFlags.Class) return 'class'
  if (flags & ts.SymbolFlags.Function) return 'function'
  return flags & ts.SymbolFlags.Value ? 'constant' : 'type'
}

/** Renders the names of a function's parameters. */
function renderSignature(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const { valueDeclaration } = symbol
  if (valueDeclaration === undefined || !(symbol.flags & ts.SymbolFlags.Function)) return ''
  const type = checker.getTypeOfSymbolAtLocation(symbol, valueDeclaration)
  const [signature] = type.getCallSignatures()
  const names = signature?.getParameters().map((parameter) => {
    const { valueDeclaration: declaration } = parameter
    const isOptional =
      declaration !== undefined &&
      ts.isParameter(declaration) &&
      (declaration.initializer !== undefined || declaration.questionToken !== undefined)
    const name = parameter.name.startsWith('__') ? 'options' : parameter.name
    return isOptional ? `${name}?` : name
  })
  return `(${names?.join(', ') ?? ''})`
}

/** Renders the page: one table per entry of the package. */
export function renderReference(): string {
  const names = listExportedNames()
  const sections = ENTRIES.map(([entry]) => {
    const own = names.filter((each) => each.entry === entry)
    const rows = own.map(
      ({ name, kind, signature, sentence }) =>
        `| \`${name}${signature}\` | ${kind} | ${sentence.replaceAll('|', '\\|')} |`,
    )
    return `## ${entry}\n\n| Name | Kind | Description |\n| --- | --- | --- |\n${rows.join('\n')}\n`
  })
  return `# Reference\n\nEvery name that the package exports, with the first sentence of its documentation. Your editor shows the rest. The page is generated from the sources by \`npm run generate\`.\n\n${sections.join('\n')}`
}
