// The classic compiler API, which TypeScript 7 does not have.
import ts from 'typescript-5'
import { readPublicExports, sentenceOf } from './public-exports.ts'

/** An option of a function. */
interface FunctionOption {
  readonly name: string
  readonly caller: string
  readonly value: string
  readonly sentence: string
}

/** Functions whose result has methods with options. */
const OBJECTS: Readonly<Record<string, string>> = {
  createClient: 'client',
  createEmulator: 'emulator',
}

/** Lists the options of every public function, and of the methods of clients and emulators. */
export function listOptions(): readonly FunctionOption[] {
  const { checker, entries } = readPublicExports()
  const options: FunctionOption[] = []

  function addFunction(caller: string, type: ts.Type): void {
    for (const signature of type.getCallSignatures()) {
      for (const parameter of signature.getParameters()) {
        if (parameter.name === 'options') addOptions(caller, checker.getTypeOfSymbol(parameter))
      }
      // action<Env>() returns the function that takes the options.
      const result = signature.getReturnType()
      if (!result.getProperties().length) addFunction(`${caller}()`, result)
    }
  }

  function addOptions(caller: string, type: ts.Type): void {
    for (const part of type.isUnion() ? type.types : [type]) {
      for (const property of checker.getApparentType(part).getProperties()) {
        const tags = property.getJsDocTags(checker)
        if (isOwn(property) && !tags.some(({ name }) => name === 'internal')) {
          options.push(describe(caller, property, tags))
        }
      }
    }
  }

  function describe(
    caller: string,
    property: ts.Symbol,
    tags: readonly ts.JSDocTagInfo[],
  ): FunctionOption {
    const tag = tags.find(({ name }) => name === 'default')
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0
    const fallback = ts.displayPartsToString(tag?.text).replaceAll(/\s+/g, ' ')
    return {
      name: property.name,
      caller,
      value: isOptional ? fallback || 'none' : 'required',
      sentence: sentenceOf(property, checker),
    }
  }

  function addMethods(path: string, type: ts.Type): void {
    for (const property of type.getProperties().filter(isOwn)) {
      const member = checker.getTypeOfSymbol(property)
      if (member.getCallSignatures().length > 0) addFunction(`${path}.${property.name}`, member)
      else if (path.split('.').length < 2) addMethods(`${path}.${property.name}`, member)
    }
  }

  for (const { name, symbol } of entries.flatMap(({ exports }) => exports)) {
    if (!(symbol.flags & ts.SymbolFlags.Function)) continue
    const type = checker.getTypeOfSymbol(symbol)
    addFunction(name, type)
    const object = OBJECTS[name]
    const [signature] = type.getCallSignatures()
    if (object !== undefined && signature) addMethods(object, signature.getReturnType())
  }
  return options
}

/** Returns whether a symbol is declared in this repository. */
function isOwn(symbol: ts.Symbol): boolean {
  return (
    symbol.declarations?.some((each) => !each.getSourceFile().fileName.includes('node_modules')) ??
    false
  )
}

/** Calls of a client share their options. */
const callerOf = ({ caller }: FunctionOption) =>
  caller.startsWith('client.') ? 'methods of a client' : `\`${caller}()\``

/**
 * Renders the table of the options of all functions but `sidecard()`, which have their
 * own table: one row for each option and meaning.
 */
export function renderOptionsTable(): string {
  const options = listOptions().filter(
    ({ caller, sentence }) => caller !== 'sidecard' && sentence !== '',
  )
  const keyOf = ({ name, sentence, value }: FunctionOption) => [name, sentence, value].join('\n')
  const rows = [...Map.groupBy(options, keyOf).values()].map((same) => {
    const [{ name, value, sentence }] = same as [FunctionOption, ...FunctionOption[]]
    const callers = [...new Set(same.map(callerOf))].join(', ')
    const cells = [`\`${name}\``, callers, value, sentence]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  const head = ['| Option | Functions | Default | Meaning |', '| --- | --- | --- | --- |']
  return [...head, ...rows.toSorted()].join('\n')
}

const MARK = '<!-- npm run generate writes this table from the types. -->'

/** Returns the page with the table, which is its last part. */
export function updateOptionsPage(page: string): string {
  const start = page.indexOf(MARK)
  if (start === -1) throw new Error('docs/options.md has no mark for the table.')
  return `${page.slice(0, start)}${MARK}\n\n${renderOptionsTable()}\n`
}
