import { BADGE_COLORS, COMPONENT_TYPES } from '../../../runtime/contract/generated/vocabulary.ts'
import { type IssueRule, WRONG_TYPE } from './payload-rule.ts'
import { assumed, harm, inGroup, must } from '../response-rule.ts'

const ANCHOR = 'components'

/** The rules about components and their fields. @see docs/checks/components.md */
export const componentRules = inGroup<IssueRule>('components', [
  {
    id: 'component-object',
    covers: [{ codes: ['invalid_component'] }],
    title: 'Every component is an object',
    ...must(ANCHOR, 'Every component has a `type` field that selects its shape.'),
    fix: 'Put only objects in components. Omit absent components instead of writing null.',
    why: '`null` usually comes from a component that is created conditionally.',
  },
  {
    id: 'component-type',
    covers: [
      { codes: ['unknown_component'] },
      { codes: ['missing_field', ...WRONG_TYPE], at: 'component.type' },
    ],
    title: 'Every component has a known type',
    ...must(ANCHOR, 'An unrecognized `type` makes the custom app render an error state.'),
    fix: `Use one of ${COMPONENT_TYPES.join(', ')}.`,
    why: 'A single unknown type replaces the whole widget with an error state, even inside a card.',
  },
  {
    id: 'card-nested',
    covers: [{ codes: ['nested_card'] }],
    title: 'Cards do not contain cards',
    ...must(ANCHOR, '`components` of a card may hold any component type except `card`.'),
    fix: 'Move the inner card next to the outer one. A payload can contain several cards.',
    why: 'Cards group data one level deep. Use a divider to separate groups within a card.',
  },
  {
    id: 'field-required',
    covers: [{ codes: ['missing_field'], at: 'elsewhere' }],
    title: 'Components have all required fields',
    ...must(
      ANCHOR,
      'The table of components marks its required fields. An item of a badge has `value` and `color`.',
    ),
    fix: 'Add the missing field.',
    why: 'JSON serializers drop fields whose value is `undefined`, so a missing value becomes a missing field.',
  },
  {
    id: 'field-type',
    covers: [{ codes: WRONG_TYPE, at: 'elsewhere' }],
    title: 'Fields have the type the contract defines',
    ...must(
      ANCHOR,
      'The tables give each field a type: strings, arrays of objects, an object for a header.',
    ),
    fix: 'Convert the value to the type in the contract. Omit optional fields instead of writing null.',
    why: 'Numbers and booleans are the usual cause: write "42", not 42. `null` is not a string.',
  },
  {
    id: 'badge-color',
    covers: [{ codes: ['invalid_color'] }],
    title: 'Badge colors are one of the five allowed values',
    ...must(ANCHOR, '`color` is one of `blue`, `green`, `red`, `orange`, `gray`.'),
    fix: `Use one of ${BADGE_COLORS.join(', ')}.`,
    why: 'Colors are lowercase and use American spelling: `grey` and `Green` are invalid.',
  },
  {
    id: 'button-type',
    covers: [{ codes: ['invalid_button_type'] }],
    title: 'The button_type is link',
    ...must(ANCHOR, '`button_type` has one value: `link`.'),
    fix: 'Set "button_type": "link".',
    why: 'A button only opens a link. There is no `submit` or `action` type.',
  },
  {
    id: 'divider-fields',
    covers: [{ codes: ['divider_field'] }],
    title: 'Dividers have no field other than type',
    ...must(ANCHOR, '`divider`: `type`. No other fields.'),
    fix: 'Write { "type": "divider" } only. For a caption, use a text component.',
    why: 'The contract explicitly forbids other fields here.',
  },
  {
    id: 'date-time',
    covers: [{ codes: ['invalid_date_time'] }],
    title: 'date_time values are RFC 3339 date-times',
    ...must('date-times', '`date_time`: `value` (string, RFC 3339 date-time).'),
    fix: 'Write the date, a T, the time with seconds, and the offset: 2026-11-21T09:30:00Z.',
    why: 'RFC 3339 requires seconds, an offset and an existing date. A time without an offset is ambiguous. Leap seconds and lowercase `t` and `z` are allowed.',
  },
  {
    id: 'uri',
    covers: [{ codes: ['invalid_uri'] }],
    title: 'url and icon_url are absolute URIs',
    ...must('uris', '`url` and `icon_url` are URI strings (RFC 3986).'),
    fix: 'Write the full URL, starting with https://, and percent-encode other characters.',
    why: '`/orders/1`, `//host/x` and `example.com/x` are relative references, which the sidebar cannot resolve. Percent-encode spaces and non-ASCII letters.',
  },
  {
    id: 'uri-scheme',
    covers: [{ codes: ['invalid_uri_scheme'] }],
    title: 'url uses http, https, mailto or tel, and icon_url http or https',
    ...assumed(
      'uris',
      '`url` and `icon_url` are URI strings. Which schemes the service opens is not specified.',
      'A9',
    ),
    fix: 'Use http, https, mailto or tel for url, and http or https for icon_url.',
    why: 'URIs with the scheme of a desktop app are valid, but the sidebar may not open them. Icons are loaded over HTTP.',
  },
])

/** The rule about URIs that run code. @see docs/checks/security.md */
export const scriptUrlRule: IssueRule = {
  id: 'security-script-url',
  group: 'security',
  covers: [{ codes: ['script_uri'] }],
  title: 'URLs do not run code',
  ...harm('components', 'A button or a link shows a link, for example to an admin dashboard.'),
  fix: 'Never build URLs from customer input. Use https URLs that you control.',
  why: 'A `javascript:` URL is a valid URI, but it runs in the agent’s session when clicked. It usually comes from unvalidated customer input.',
}
