import { SCHEMA_VERSION } from '../../../runtime/contract/version.ts'
import { quote } from '../../internal/escape-for-display.ts'
import { isJsonObject, readField } from '../endpoint/json-object.ts'
import type { JsonObject } from '../endpoint/json-object.ts'
import {
  findErrorMessage,
  findMarkup,
  findPersonalData,
  findSerializedValue,
  findUrlData,
} from './advice-patterns.ts'
import type { PayloadTexts } from './payload-texts.ts'
import { findRepeatedLabels } from './repeated-labels.ts'
import { assumed, should } from '../response-rule.ts'
import type { RuleInfo, Violation } from '../response-rule.ts'

/** A rule that goes beyond the contract's schema. Its violations never fail a run. */
export interface AdviceRule extends RuleInfo {
  readonly level: 'SHOULD' | 'ASSUMED'
  check(payload: JsonObject, parts: PayloadTexts): readonly Violation[]
}

const TEXTS = 'Values are strings. The contract does not say what they contain.'

/** The rules that go beyond the contract's schema. @see docs/checks/components.md */
export const adviceRules: readonly AdviceRule[] = [
  {
    id: 'payload-version-known',
    group: 'payload',
    title: `The version is ${SCHEMA_VERSION}`,
    ...assumed(
      'versioning',
      'The schema version defined here is `1.0.0`. The effect of another version is not specified.',
      'A3',
    ),
    fix: `Use "version": "${SCHEMA_VERSION}", the only version the contract defines.`,
    why: 'The contract allows any string. The service may reject an undefined version or interpret it differently.',
    check(payload) {
      const version = readField(payload, 'version')
      if (typeof version !== 'string' || version === SCHEMA_VERSION) return []
      return [{ path: 'version', message: `the version is ${quote(version, 40)}` }]
    },
  },
  {
    id: 'payload-header-title',
    group: 'payload',
    title: 'The header has a title',
    ...assumed(
      'payload',
      '`header`: `title` (string), `icon_url` (string, URI). Whether either is required is not specified.',
      'A1',
    ),
    fix: 'Add a title so that agents can identify the widget.',
    why: 'Without a title, a widget is hard to tell apart from others in the sidebar.',
    check(payload) {
      const header = readField(payload, 'header')
      if (!isJsonObject(header) || Object.hasOwn(header, 'title')) return []
      return [{ path: 'header.title', message: 'the header has no title' }]
    },
  },
  {
    id: 'component-empty',
    group: 'components',
    title: 'Cards and badges are not empty',
    ...should(
      'components',
      'A badge has any number of items. A card without components is not ruled out.',
    ),
    fix: 'Omit the component, or say in a text component that there is nothing to show.',
    why: 'An empty card is a box without content, and an empty badge list is a label without a value. Both look like an error to an agent.',
    check: (_payload, { containers }) =>
      containers.flatMap(({ components }) =>
        components.flatMap(({ path, component }) => {
          const type = readField(component, 'type')
          if (type === 'card' && isEmpty(readField(component, 'components'))) {
            return [{ path: `${path}.components`, message: 'the card has no components' }]
          }
          if (type === 'badge' && isEmpty(readField(component, 'items'))) {
            return [{ path: `${path}.items`, message: 'the badge has no items' }]
          }
          return []
        }),
      ),
  },
  {
    id: 'label-unique',
    group: 'components',
    title: 'Labels are unique within a card',
    ...should('components', '`label` is a string. Whether it may repeat is not specified.'),
    fix: 'Use a different label for each component of a card.',
    why: 'Agents cannot tell two values with the same label apart. It is often the same component added twice. A list may repeat labels if each record starts with a unique label, such as an order number, or follows a divider.',
    check: (_payload, { containers }) => containers.flatMap(findRepeatedLabels),
  },
  {
    id: 'text-serialized',
    group: 'components',
    title: 'Texts contain no values that code prints by mistake',
    ...should('components', TEXTS),
    fix: 'Omit the component if the value is absent, and format objects, numbers and dates explicitly.',
    why: 'A missing value or an object that is converted to a string becomes `undefined`, `nan`, `nil`, `[object Object]`, `#<Object:0x…>`, `Some("x")` or the year 0001, depending on the language. The rule also finds placeholders that were not filled in, such as `{{ name }}` or `%s`, text in the wrong encoding, and control characters.',
    check: (_payload, { texts }) =>
      findIn(texts, ({ text }) => {
        const found = findSerializedValue(text)
        return found && quote(found)
      }),
  },
  {
    id: 'text-markup',
    group: 'components',
    title: 'Texts contain no HTML or Markdown',
    ...should('components', '`value` may be multiline. No markup language is specified.'),
    fix: 'Convert the text to plain text, and put URLs into link components.',
    why: 'The sidebar shows texts unchanged, so agents see the tags and asterisks.',
    check: (_payload, { texts }) => findIn(texts, ({ text }) => findMarkup(text)),
  },
  {
    id: 'text-error-message',
    group: 'components',
    title: 'Texts are not the endpoint’s own error messages',
    ...should('components', TEXTS),
    fix: 'Log the error, and show the agent a plain sentence that says what is missing.',
    why: 'Error messages reveal hosts, tables and packages, and agents cannot act on them. A card about errors, such as “Recent errors”, is exempt from the check for exception names.',
    check: (_payload, { texts }) =>
      findIn(texts, ({ text, context }) => findErrorMessage(text, context)),
  },
  {
    id: 'text-personal-data',
    group: 'components',
    title: 'Texts show no passwords or social security numbers',
    ...should('components', TEXTS),
    fix: 'Remove the text, or show only when the value last changed or its last digits.',
    why: 'Everyone who sees the sidebar or a recording of it can use them.',
    check: (_payload, { texts }) =>
      findIn(texts, ({ text, context }) => findPersonalData(text, context)),
  },
  {
    id: 'url-personal-data',
    group: 'security',
    title: 'URLs contain no passwords, email addresses or tokens',
    ...should('components', 'A button or a link shows a link, for example to an admin dashboard.'),
    fix: 'Put only an internal ID into the URL, and let the linked page authenticate the agent.',
    why: 'URLs end up in browser histories, server logs and the Referer header. Anyone who sees a token in a URL can use it.',
    check: (_payload, { urls }) => findIn(urls, ({ url }) => findUrlData(url)),
  },
]

function findIn<Part extends { readonly path: string }>(
  parts: readonly Part[],
  find: (part: Part) => string | undefined,
): readonly Violation[] {
  return parts.flatMap((part) => {
    const found = find(part)
    return found === undefined ? [] : [{ path: part.path, message: `contains ${found}` }]
  })
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0
}
