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

/** Renders one option as an item of a list. Options of methods name the method. */
function renderOption({ name, caller, isRequired, fallback, sentence }: FunctionOption): string {
  const [, method] = /^\w+\.(.+)/.exec(caller) ?? []
  const details = [
    ...(method === undefined || caller.startsWith('client.') ? [] : [`of \`${method}()\``]),
    ...(isRequired ? ['required'] : []),
    ...(fallback === '' ? [] : [`default ${renderFallback(fallback)}`]),
  ]
  return `- ${[`\`${name}\``, ...details].join(', ')}: ${sentence}`
}

/** A number or a literal is code; other defaults are text. */
function renderFallback(fallback: string): string {
  return /^(?:\d[\d_]*|'.*'|\[.*\]|true|false)$/.test(fallback) ? `\`${fallback}\`` : fallback
}

/** Renders the options of a function, and of the methods of its result; empty without options. */
export function renderOptions(options: readonly FunctionOption[], name: string): string {
  const own = options.filter(
    ({ caller, sentence }) => sentence !== '' && (caller === name || caller === `${name}()`),
  )
  const object = OBJECTS[name]
  const ofMethods = options.filter(
    ({ caller, sentence }) => sentence !== '' && caller.startsWith(`${object}.`),
  )
  // Calls of a client share their options.
  const unique = new Map(
    ofMethods.map((each) => [
      object === 'client' ? `${each.name} ${each.sentence}` : `${each.caller} ${each.name}`,
      each,
    ]),
  )
  const list = own.map(renderOption).join('\n')
  const methods = [...unique.values()].map(renderOption).join('\n')
  return [
    list && `Options:\n\n${list}\n`,
    methods && `Options of the methods:\n\n${methods}\n`,
  ].join('\n')
}
