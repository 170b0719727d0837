// The classic compiler API, which TypeScript 7 does not have.
import ts from 'typescript-5'
import { ENTRIES } from './package-entries.ts'
import { readPublicExports, sentenceOf } from './public-exports.ts'

/** One name that the package exports. */
export interface ExportedName {
  readonly entry: string
  readonly name: string
  readonly kind: 'function' | 'class' | 'constant' | 'type'
  /** The first sentence of its docstring. */
  readonly sentence: string
  /** The parameters of a function; empty for other exports. */
  readonly signature: string
  /** The code of its `@example`; empty if it has none. */
  readonly example: string
}

/** Lists every name that the package exports, from the sources. */
export function listExportedNames(): readonly ExportedName[] {
  const { checker, entries } = readPublicExports()
  return entries.flatMap(({ entry, exports }) =>
    exports.map(({ name, symbol }) => ({
      entry,
      name,
      kind: findKind(symbol),
      sentence: sentenceOf(symbol, checker),
      signature: renderSignature(symbol, checker),
      example: symbol
        .getJsDocTags(checker)
        .filter((tag) => tag.name === 'example')
        .map(({ text }) => ts.displayPartsToString(text))
        .join('\n\n'),
    })),
  )
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

/** Renders a value: a heading, its first sentence and its example. */
function renderValue({ name, signature, sentence, example }: ExportedName): string {
  return `### ${name}${signature}\n\n${sentence}\n\n\`\`\`ts\n${example}\n\`\`\`\n`
}

/** Renders an entry of the package: its values, and a table of its types. */
function renderEntry(entry: string, names: readonly ExportedName[]): string {
  const values = names.filter(({ kind }) => kind !== 'type').map(renderValue)
  const types = names.filter(({ kind }) => kind === 'type')
  const rows = types.map(
    ({ name, sentence }) => `| \`${name}\` | ${sentence.replaceAll('|', '\\|')} |`,
  )
  return `## ${entry}\n\n${values.join('\n')}\n| Type | Description |\n| --- | --- |\n${rows.join('\n')}\n`
}

/** Renders the page: the names of each entry of the package. */
export function renderReference(): string {
  const names = listExportedNames()
  const sections = ENTRIES.map(([entry]) =>
    renderEntry(
      entry,
      names.filter((each) => each.entry === entry),
    ),
  )
  return `# Reference\n\nEvery name that the package exports: the values with an example, then the types. Your editor shows the rest of the documentation. \`npm run generate\` writes this page from the sources.\n\n${sections.join('\n')}`
}
