import { readFileSync } from 'node:fs'
import { LAYERS, type Layer } from './layers.ts'

/** A rule of the linter about the text of an import. */
interface Pattern {
  readonly regex?: string
  readonly group?: readonly string[]
  readonly allowTypeImports?: boolean
  readonly message: string
}

interface Override {
  readonly files: readonly string[]
  readonly rules: Readonly<Record<string, unknown>>
}

const FILE = new URL('../.oxlintrc.json', import.meta.url)
const RULE = 'no-restricted-imports'
const NAMES = Object.keys(LAYERS).filter((name) => name.split('/').length === 2)

/**
 * Returns `.oxlintrc.json` with the rules that enforce the table of layers. All other rules are
 * written there by hand.
 */
export function createLinterConfig(): string {
  const config = JSON.parse(readFileSync(FILE, 'utf8')) as {
    readonly overrides: readonly Override[]
  }
  const byHand = config.overrides.filter(({ rules }) => !(RULE in rules))
  return JSON.stringify({ ...config, overrides: [...createLayerRules(), ...byHand] }, undefined, 2)
}

function createLayerRules(): readonly Override[] {
  return ['index.ts', ...NAMES].flatMap((name) => {
    const layer = LAYERS[name]!
    const floors = (layer.floors ?? []).map((floor) => [floor].flat())
    return [undefined, ...floors].map((floor) => createOverride(name, layer, floor))
  })
}

/**
 * Creates the rule of a folder, or of one floor in it. Its only `group` is the last pattern, because
 * the linter ignores all patterns but a `group` with `!../**`, if they stand after it or are groups.
 */
function createOverride(name: string, layer: Layer, floor?: readonly string[]): Override {
  const paths = floor?.map((folder) => `${name}/${folder}`) ?? [name]
  const packages = [layer, ...(floor ? paths.map((path) => LAYERS[path] ?? {}) : [])]
  const patterns = [
    ...typesPatterns(layer),
    folderPattern(name, layer),
    ...(floor === undefined ? [] : floorPatterns(name, layer, floor)),
    packagePattern(
      paths,
      packages.flatMap((each) => each.packages ?? []),
      modulesOf(name, layer),
    ),
  ]
  const files = paths.map((path) => (isFile(path) ? `src/${path}` : `src/${path}/**`))
  return { files, rules: { [RULE]: ['error', { patterns }] } }
}

function typesPatterns({ types = [] }: Layer): readonly Pattern[] {
  if (types.length === 0) return []
  const paths = types.map((path) =>
    path
      .split('/')
      .slice(1)
      .join('/')
      .replaceAll('.', String.raw`\.`),
  )
  return [
    {
      regex: `^(?:\\.\\./)+(?:${paths.join('|')})$`,
      allowTypeImports: true,
      message: 'Import only types from this module, because its functions need zod.',
    },
  ]
}

function folderPattern(name: string, { folders = [], modules }: Layer): Pattern {
  const others = NAMES.filter((other) => other !== name && !folders.includes(other))
  // In its own half, a folder can be reached without the name of the half.
  const paths = others.map((other) => other.replace(`${name.split('/')[0]}/`, '(?:$&)?'))
  const forbidden = modules === undefined ? `^(?:\\.\\.?/)+(?:${paths.join('|')})/|` : ''
  return {
    regex: `${forbidden}^(?:\\.\\./){2,}index\\.ts$`,
    message: `The folder src/${name} may import only ${list(folders, 'its own files')}.`,
  }
}

/** Lists what a folder with `modules` may import, as the end of a `group`, of which the last match counts. */
function modulesOf(name: string, { modules, types = [] }: Layer): readonly string[] {
  if (modules === undefined) return []
  const others = NAMES.filter((other) => other !== name).map((other) => other.split('/')[1]!)
  const allowed = [...modules, ...types].map((path) => path.split('/').slice(1).join('/'))
  return [
    ...Array.from(new Set(others), (other) => `**/${other}/**`),
    ...allowed.map((path) => `!**/${path}`),
  ]
}

function floorPatterns(
  name: string,
  { floors = [] }: Layer,
  floor: readonly string[],
): readonly Pattern[] {
  const at = floors.findIndex((each) => [each].flat().includes(floor[0]!))
  const others = floors.slice(floor.length === 1 ? at + 1 : at).flat()
  if (others.length === 0) return []
  const below = list(floors.slice(0, at).flat(), 'their own files')
  const isTop = floor.every(isFile)
  // The rule of the whole folder rejects an `index.ts` that is further away.
  const ends = others.map((each) =>
    isFile(each)
      ? `${isTop ? '\\./' : '\\.\\./'}${each.replace('.', '\\.')}$`
      : `${isTop ? '\\./' : '(?:\\.\\./)+'}${each}/`,
  )
  return [
    {
      regex: `^(?:${ends.join('|')})`,
      message: `In src/${name}, the files of ${floor.join(', ')} may import only ${below}.`,
    },
  ]
}

function packagePattern(
  paths: readonly string[],
  packages: readonly string[],
  modules: readonly string[],
): Pattern {
  const allowed = packages.flatMap((name) =>
    name === 'node:' ? ['!node:*', '!node:*/**'] : [`!${name}`, `!${name}/**`],
  )
  const files = `The files of ${paths.map((path) => `src/${path}`).join(', ')}`
  const others = modules.length > 0 ? ', and the modules that scripts/layers.ts lists' : ''
  return {
    group: ['**', '!./**', '!../**', ...allowed, ...modules],
    message: `${files} may import only these packages: ${list(packages, 'none')}${others}.`,
  }
}

const isFile = (name: string) => name.endsWith('.ts')

const list = (names: readonly string[], none: string) => names.join(', ') || none
