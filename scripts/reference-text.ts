// The classic compiler API, which TypeScript 7 does not have.
import ts from 'typescript-5'
import { type Described, type FunctionOption, listOptions, renderOptions } from './options-text.ts'
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

/** Renders a value: a heading, its first sentence, its example and its options. */
function renderValue(
  { name, signature, sentence, example }: ExportedName,
  options: readonly FunctionOption[],
  described: Described,
): string {
  const code = `\`\`\`ts\n${example}\n\`\`\`\n`
  // The anchor of a heading without parameters is the same on GitHub and on the site.
  const text = signature === '' ? `### ${name}\n\n` : `### ${name}()\n\n\`${name}${signature}\`: `
  return `${text}${sentence}\n\n${code}\n${renderOptions(options, name, described)}`
}

/** Renders an entry of the package: its values, and the names of its types. */
function renderEntry(
  entry: string,
  names: readonly ExportedName[],
  options: readonly FunctionOption[],
  described: Described,
): string {
  const values = names.filter(({ kind }) => kind !== 'type')
  const [again = [], own = []] = [true, false].map((isKnown) =>
    values.filter(({ name }) => described.has(name) === isKnown),
  )
  const types = names.filter(({ kind }) => kind === 'type').map(({ name }) => name)
  for (const { name } of own) described.set(name, entry)
  return [
    `## ${entry}\n`,
    ...own.map((value) => renderValue(value, options, described)),
    ...(again.length > 0
      ? [`Also exported: ${again.map(({ name }) => `\`${name}\``).join(', ')} (see above).\n`]
      : []),
    `Types:\n\n\`\`\`text\n${types.join('\n')}\n\`\`\`\n`,
  ].join('\n')
}

const INTRODUCTION = `# Reference

Every name that the package exports, with its options. Most flags of the commands have the name of an option: \`--timeout\` is \`timeoutMs\`. Your editor shows the whole documentation of each name.`

/** Renders the page: the names of each entry of the package. */
export function renderReference(): string {
  const names = listExportedNames()
  const options = listOptions()
  const described: Described = new Map()
  const sections = ENTRIES.map(([entry]) =>
    renderEntry(
      entry,
      names.filter((each) => each.entry === entry),
      options,
      described,
    ),
  )
  return `${INTRODUCTION}\n\n${sections.join('\n')}`
}
