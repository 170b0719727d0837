import { tryJson } from '../../../runtime/internal/try-json.ts'
import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import { isDeeperThan } from '../../internal/is-deeper-than.ts'
import type { ExchangeResponse } from '../endpoint/exchange.ts'
import { isJsonObject, type JsonObject } from '../endpoint/json-object.ts'

/** A string or a number of a response, or the name of a field or a header. */
export interface ResponseText {
  readonly text: string
  /** The path, such as `components[0].value`, or the part of the response, such as `header etag`. */
  readonly path: string
  /** The name of the field or the header that contains it. */
  readonly field: string
  /** The `label` of the nearest object that has one. */
  readonly label: string
  readonly isName: boolean
  /** Whether it stands in a header or a trailer. */
  readonly isHeader?: boolean
}

/** The maximum number of values that are read. */
const MAX_VALUES = 200_000

/** Lists the texts of a JSON value, level by level. */
export function* listTexts(root: unknown): Generator<ResponseText> {
  const queue = [{ value: root, path: '', field: '', label: '' }]
  for (let index = 0; index < queue.length && index < MAX_VALUES; index += 1) {
    const { value, ...place } = queue[index]!
    if (typeof value === 'string' || typeof value === 'number') {
      yield { ...place, text: String(value), isName: false }
    } else if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) {
        queue.push({ ...place, value: item, path: `${place.path}[${at}]` })
      }
    } else if (typeof value === 'object' && value !== null) {
      const own: unknown = Object.hasOwn(value, 'label') ? Reflect.get(value, 'label') : undefined
      const label = typeof own === 'string' ? own : place.label
      for (const [name, item] of Object.entries(value)) {
        const shown = escapeForDisplay(name, 2_000)
        const path = place.path === '' ? shown : `${place.path}.${shown}`
        yield { text: name, path, field: name, label, isName: true }
        queue.push({ value: item, path, field: name, label })
      }
    }
  }
}

/** The maximum depth: deeper than any payload, and far below the limit of recursion. */
const MAX_DEPTH = 100

/** Reads the JSON in a body, even after a byte order mark, unless it is nested too deeply. */
export function readJson(body: string): unknown {
  const value = tryJson(body.replace(/^\uFEFF/, ''))
  return isDeeperThan(MAX_DEPTH, value) ? undefined : value
}

/** Reads the JSON object in a body, if there is one. */
export function readObject(body = ''): JsonObject | undefined {
  const value = readJson(body)
  return isJsonObject(value) ? value : undefined
}

/** The texts of the last body, because most responses of a check equal the one before. */
let last: { readonly body: string; readonly texts: readonly ResponseText[] } | undefined

function readBody(body: string): readonly ResponseText[] {
  if (last?.body !== body) {
    const json = tryJson(body)
    const isWhole = typeof json !== 'object' || json === null
    last = { body, texts: isWhole ? [toText('body', body)] : [...listTexts(json)] }
  }
  return last.texts
}

function toText(path: string, text: string, field = '', isName = false): ResponseText {
  return { text, path, field, label: '', isName }
}

/**
 * Reads every text of a response: the reason phrase, headers, trailers, and the
 * values of a JSON body or the whole body. Without its zero bytes, UTF-16 is readable too.
 */
export function readResponse({
  statusText,
  headers,
  trailers = {},
  text,
  body,
}: ExchangeResponse): readonly ResponseText[] {
  const fields = (kind: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).flatMap(([name, value]) => [
      { ...toText(`${kind} ${name}`, value, name), isHeader: true },
      { ...toText(`${kind} ${name}`, name, name, true), isHeader: true },
    ])
  const decoded = (text ?? new TextDecoder('latin1').decode(body)).replaceAll('\0', '')
  return [
    toText('reason phrase', statusText),
    ...fields('header', headers),
    ...fields('trailer', trailers),
  ].concat(readBody(decoded))
}

/** A text of a payload, and where agents see it. */
export interface PlacedText {
  readonly path: string
  /** The label and the field, which are the same in the responses of one endpoint. */
  readonly place: string
  /** The text, a line of it or a part of a URL, in lowercase. */
  readonly text: string
  /** Whether the text may come from a closed list, such as the value of a badge. */
  readonly isClosed: boolean
}

/** The texts and the shape of a payload, valid or not. */
export interface PayloadReading {
  readonly texts: readonly PlacedText[]
  /**
   * The types and labels with their paths. Two payloads of one endpoint can share this
   * shape although their values differ.
   */
  readonly shape: string
  /**
   * The kinds of labeled components, whatever their number: the same for two customers
   * of whom one has more orders. Empty without labels.
   */
  readonly kinds: string
}

/** Fields whose values the contract defines. */
const DEFINED = new Set(['type', 'color', 'button_type', 'version'])

/** The number of types and labels in a shape, which is enough to tell two apart. */
const MAX_SHAPE = 400

const NOTHING: PayloadReading = { texts: [], shape: '', kinds: '' }
const readings = new WeakMap<object, PayloadReading>()

/** Reads the texts and the shape of a payload once, if there is one. */
export function readPayload(payload: object | undefined): PayloadReading {
  if (payload === undefined) return NOTHING
  const reading = readings.get(payload) ?? createReading(payload)
  readings.set(payload, reading)
  return reading
}

/** Returns a text with its lines, or with the parts of a URL. */
function listParts(text: string): readonly string[] {
  const [, rest] = /^[a-z][\w+.-]*:(?:\/\/)?(\S+)$/is.exec(text) ?? []
  const parts = rest === undefined ? text.split('\n') : rest.split(/[/?&#]/).filter(Boolean)
  return parts.length > 1 ? [text, ...parts] : [text]
}

function createReading(payload: object): PayloadReading {
  const all = [...listTexts(payload)].filter(({ isName }) => !isName)
  const shape = all
    .filter(({ field }) => field === 'label' || field === 'type')
    .slice(0, MAX_SHAPE)
    .map(({ path, text }) => `${path}: ${text}`)
  const labels = shape.filter((line) => /^[^:]*label:/.test(line))
  return {
    texts: all
      .filter(({ field }) => !DEFINED.has(field))
      .flatMap(({ text, path, field, label }) =>
        listParts(text).map((part) => ({
          path,
          place: `${field === 'label' ? '' : label}|${field}`,
          text: part.trim().toLowerCase(),
          isClosed: field === 'label' || /\.items\[\d+\]\.value$/.test(path),
        })),
      ),
    shape: shape.join('\n'),
    kinds: [...new Set(labels.map((line) => line.replaceAll(/\[\d+\](?=[^:]*:)/g, '')))]
      .toSorted()
      .join('\n'),
  }
}
