import * as z from 'zod'
import { isDateTime } from './date-time.ts'
import { isIconUrl, isLink } from './uri.ts'

/**
 * The custom app data payload: what an endpoint returns for a data fetch.
 *
 * This is the only hand-written definition of the payload. `npm run generate`
 * derives the types, the validation, the vocabulary (all in `generated/`) and
 * `schema/1.0.0.json`. The endpoint never imports this file, because zod would
 * triple the size of a Worker.
 *
 * @see docs/contract.md#payload
 */

/** The validation of a string in the generated code; a plain string needs no entry. */
export const STRING_KINDS = z.registry<{ kind: 'link' | 'icon' | 'date_time' }>()

// Many JSON Schema validators ignore `format`, so the patterns catch common mistakes. `format` also
// accepts an http URI without a host, so this pattern requires one, after an optional user. It
// avoids lookahead, which some validators do not support.
const HTTP =
  '[Hh][Tt][Tt][Pp][Ss]?://(?:[!$-.0->A-~]*@)?[!$-.0-9;->A-~][!$-.0->A-~]*(?:[/?#][!-~]*)?'

const link = z
  .string()
  .refine(isLink, 'must be an absolute http, https, mailto or tel URI (RFC 3986)')
  .register(STRING_KINDS, { kind: 'link' })
  .meta({
    format: 'uri',
    pattern: `^(?:${HTTP}|[Mm][Aa][Ii][Ll][Tt][Oo]:[!-~]*|[Tt][Ee][Ll]:[!-~]*)$`,
  })

const icon = z
  .string()
  .refine(isIconUrl, 'must be an absolute http or https URI (RFC 3986)')
  .register(STRING_KINDS, { kind: 'icon' })
  .meta({ format: 'uri', pattern: `^${HTTP}$` })

const dateTime = z
  .string()
  .refine(isDateTime, 'must be an RFC 3339 date-time with an offset')
  .register(STRING_KINDS, { kind: 'date_time' })
  .meta({
    format: 'date-time',
    pattern:
      '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$',
  })

const label = z.string().describe('The label, shown next to the value.')
const iconUrl = icon.describe('An icon next to the label: an http or https URL.').optional()

/** The schema of a badge color. */
export const badgeColorSchema = z
  .enum(['blue', 'green', 'red', 'orange', 'gray'])
  .describe('The color of a badge item.')

/** The schema of a {@link Header}. */
export const headerSchema = z
  .strictObject({
    title: z.string().describe('The title of the widget or card.').optional(),
    icon_url: icon.describe('An icon next to the title: an http or https URL.').optional(),
  })
  .describe('The title and icon of a widget or card.')

/**
 * The schema of a {@link Text} component.
 *
 * @example
 * textSchema.parse({ type: 'text', label: 'Plan', value: 'Enterprise' })
 */
export const textSchema = z
  .strictObject({
    type: z.literal('text'),
    label,
    value: z
      .string()
      .describe('The text. It may have several lines; overflowing text is truncated.'),
    icon_url: iconUrl,
  })
  .describe('A label with text, which may have several lines.')

/**
 * The schema of a {@link DateTime} component.
 *
 * @example
 * dateTimeSchema.parse({ type: 'date_time', label: 'Renews', value: '2026-03-01T12:00:00Z' })
 */
export const dateTimeSchema = z
  .strictObject({
    type: z.literal('date_time'),
    label,
    value: dateTime.describe('An RFC 3339 date-time with an offset: `2026-11-21T09:30:00Z`.'),
    icon_url: iconUrl,
  })
  .describe('A label with a date and time.')

/** The schema of a {@link BadgeItem}. */
export const badgeItemSchema = z
  .strictObject({
    value: z.string().describe('The text of the item. A text that is too long is truncated.'),
    color: badgeColorSchema,
  })
  .describe('One colored item of a badge.')

/**
 * The schema of a {@link Badge} component.
 *
 * @example
 * badgeSchema.parse({ type: 'badge', label: 'Status', items: [{ value: 'Active', color: 'green' }] })
 */
export const badgeSchema = z
  .strictObject({
    type: z.literal('badge'),
    label,
    items: z.array(badgeItemSchema).describe('Any number of items.'),
  })
  .describe('A label with any number of colored items.')

/**
 * The schema of a {@link Button} component.
 *
 * @example
 * buttonSchema.parse({ type: 'button', label: 'Open', url: 'https://example.com/accounts/7' })
 */
export const buttonSchema = z
  .strictObject({
    type: z.literal('button'),
    label: z.string().describe('The text on the button.'),
    button_type: z.literal('link').describe('The kind of button. The contract has only links.'),
    url: link.describe('The URL that the button opens.'),
  })
  .describe('A button that opens a URL, for example in an admin dashboard.')

/**
 * The schema of a {@link Link} component.
 *
 * @example
 * linkSchema.parse({ type: 'link', label: 'Invoice', url: 'https://example.com/invoices/7' })
 */
export const linkSchema = z
  .strictObject({
    type: z.literal('link'),
    label: z.string().describe('The text of the link.'),
    url: link.describe('The URL that the link opens.'),
  })
  .describe('A link.')

/**
 * The schema of a {@link Divider} component.
 *
 * @example
 * dividerSchema.parse({ type: 'divider' })
 */
export const dividerSchema = z
  .strictObject({ type: z.literal('divider') })
  .describe('A line between components. It has no other fields.')

/** The schema of a {@link CardChild}. */
export const cardChildSchema = z
  .discriminatedUnion('type', [
    textSchema,
    dateTimeSchema,
    badgeSchema,
    buttonSchema,
    linkSchema,
    dividerSchema,
  ])
  .describe('Any component that a card can contain: all but a card.')

/**
 * The schema of a {@link Card} component.
 *
 * @example
 * cardSchema.parse({ type: 'card', components: [{ type: 'divider' }] })
 */
export const cardSchema = z
  .strictObject({
    type: z.literal('card'),
    header: headerSchema.optional().describe('The title and icon of the card.'),
    components: z
      .array(cardChildSchema)
      .describe('The components in the card: any type except `card`.'),
  })
  .describe('A group of related components.')

/**
 * The schema of a {@link Component}.
 *
 * @example
 * const components = z.array(componentSchema).parse(await response.json())
 */
export const componentSchema = z
  .discriminatedUnion('type', [cardSchema, ...cardChildSchema.options])
  .describe('Any component; `type` selects its shape.')

/**
 * The schema of a {@link Payload}.
 *
 * @example
 * const payload = payloadSchema.parse(await response.json())
 */
export const payloadSchema = z
  .strictObject({
    version: z.string().describe('The schema version: `1.0.0`.'),
    header: headerSchema,
    components: z.array(componentSchema).describe('The components, in the order shown.'),
  })
  .describe('The payload that an endpoint returns for a data fetch: schema 1.0.0.')
