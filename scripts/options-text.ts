// The classic compiler API, which TypeScript 7 does not have.
import ts from 'typescript-5'
import { readPublicExports, sentenceOf } from './public-exports.ts'

/** An option of a function. */
export interface FunctionOption {
  readonly name: string
  readonly caller: string
  readonly isRequired: boolean
  /** Empty without a `@default`. */
  readonly fallback: string
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
    const parts = (type.isUnion() ? type.types : [type])
      .map((part) => checker.getApparentType(part).getProperties())
      .filter((properties) => properties.some(isOwn))
    for (const property of parts.flat()) {
      const tags = property.getJsDocTags(checker)
      const isKnown = options.some(
        ({ caller: other, name, sentence }) =>
          other === caller && name === property.name && sentence === sentenceOf(property, checker),
      )
      if (isKnown || !isOwn(property) || tags.some(({ name }) => name === 'internal')) continue
      // In a union, an option is required only if each part requires it.
      const isRequired = parts.every((part) => {
        const same = part.find(({ name }) => name === property.name)
        return same !== undefined && (same.flags & ts.SymbolFlags.Optional) === 0
      })
      options.push(describe(caller, property, tags, isRequired))
    }
  }

  function describe(
    caller: string,
    property: ts.Symbol,
    tags: readonly ts.JSDocTagInfo[],
    isRequired: boolean,
  ): FunctionOption {
    const tag = tags.find(({ name }) => name === 'default')
    return {
      name: property.name,
      caller,
      isRequired,
      fallback: ts.displayPartsToString(tag?.text).replaceAll(/\s+/g, ' '),
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

/** Renders one option as an item of a list. */
function renderOption({ name, isRequired, fallback, sentence }: FunctionOption): string {
  const details = [
    ...(isRequired ? ['required'] : []),
    ...(fallback === '' ? [] : [`default ${renderFallback(fallback)}`]),
  ]
  return `- ${[`\`${name}\``, ...details].join(', ')}: ${sentence}`
}

/** A number or a literal is code; other defaults are text. */
function renderFallback(fallback: string): string {
  return /^(?:\d[\d_]*|'.*'|\[.*\]|true|false)$/.test(fallback) ? `\`${fallback}\`` : fallback
}

/** Where an option is described: once, at the first function that has it. */
export type Described = Map<string, string>

/** Renders a list of options. Those that an earlier function of the page has as well are only named. */
function renderList(
  caller: string,
  options: readonly FunctionOption[],
  described: Described,
): string {
  const places = Map.groupBy(options, (option) => {
    const key = renderOption(option)
    const place = described.get(key) ?? caller
    described.set(key, place)
    return place
  })
  const own = places.get(caller) ?? []
  const shared = [...places]
    .filter(([place]) => place !== caller)
    .map(([place, group]) => {
      const names = group.map(({ name }) => `\`${name}\``).join(', ')
      return `- ${names}: see ${place}`
    })
  return [...own.map(renderOption), ...shared].join('\n')
}

/** Renders the options of a function, and of the methods of its result; empty without options. */
export function renderOptions(
  options: readonly FunctionOption[],
  name: string,
  described: Described,
): string {
  const documented = options.filter(({ sentence }) => sentence !== '')
  const own = documented.filter(({ caller }) => caller === name || caller === `${name}()`)
  const lists = [['', renderList(`[\`${name}()\`](#${name.toLowerCase()})`, own, described)]]
  const prefix = `${OBJECTS[name]}.`
  const methods = Map.groupBy(
    documented.filter(({ caller }) => caller.startsWith(prefix)),
    ({ caller }) => `\`${caller.slice(prefix.length)}()\``,
  )
  // Methods with the same options share a list.
  const same = Map.groupBy(methods, ([, group]) => group.map(renderOption).join('\n'))
  for (const [[method, group] = ['', []], ...others] of same.values()) {
    const names = [method, ...others.map(([other]) => other)].join(', ')
    lists.push([`Options of ${names}:`, renderList(method, group, described)])
  }
  return lists
    .filter(([, list]) => list !== '')
    .map(([title, list]) => `${title}\n\n${list}\n`.trimStart())
    .join('\n')
}
