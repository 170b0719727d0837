import * as z from 'zod'
import { isDateTime } from './date-time.ts'
import { isLink } from './uri.ts'

/**
 * The custom app data payload: what an endpoint answers to `fetch_data`.
 *
 * These schemas are the source of the types and of `schema/1.0.0.json`. The
 * request path never imports this file (zod would triple a Worker): it checks
 * with the walk of `walk.ts`, and a property test keeps the two in step.
 *
 * @see docs/contract.md#payload
 */

// Many JSON Schema validators only note a `format`: the patterns catch the usual slips there too.
const uri = z
  .string()
  .refine(isLink, 'must be an absolute http or https URI (RFC 3986)')
  .meta({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$' })

const dateTime = z
  .string()
  .refine(isDateTime, 'must be an RFC 3339 date-time with an offset')
  .meta({
    format: 'date-time',
    pattern:
      '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$',
  })

/** The colours that a badge item may have. */
export const badgeColorSchema = z.enum(['blue', 'green', 'red', 'orange', 'gray'])

/** `title` and `icon_url`, of the payload or of a card. */
export const headerSchema = z.strictObject({
  title: z.string().optional(),
  icon_url: uri.optional(),
})

/** A label with a value, which may have several lines. */
export const textSchema = z.strictObject({
  type: z.literal('text'),
  label: z.string(),
  value: z.string(),
  icon_url: uri.optional(),
})

/** A label with a moment in time (RFC 3339). */
export const dateTimeSchema = z.strictObject({
  type: z.literal('date_time'),
  label: z.string(),
  value: dateTime,
  icon_url: uri.optional(),
})

/** One coloured item of a badge. */
export const badgeItemSchema = z.strictObject({
  value: z.string(),
  color: badgeColorSchema,
})

/** A label with any number of coloured items. */
export const badgeSchema = z.strictObject({
  type: z.literal('badge'),
  label: z.string(),
  items: z.array(badgeItemSchema),
})

/** A button that opens a link. */
export const buttonSchema = z.strictObject({
  type: z.literal('button'),
  label: z.string(),
  button_type: z.literal('link'),
  url: uri,
})

/** A labelled link. */
export const linkSchema = z.strictObject({
  type: z.literal('link'),
  label: z.string(),
  url: uri,
})

/** A line between components; it has no other field. */
export const dividerSchema = z.strictObject({
  type: z.literal('divider'),
})

/** What a card may hold: every component but a card. */
export const cardChildSchema = z.discriminatedUnion('type', [
  textSchema,
  dateTimeSchema,
  badgeSchema,
  buttonSchema,
  linkSchema,
  dividerSchema,
])

/** A group of related components. */
export const cardSchema = z.strictObject({
  type: z.literal('card'),
  header: headerSchema.optional(),
  components: z.array(cardChildSchema),
})

/** Every component of schema 1.0.0. */
export const componentSchema = z.discriminatedUnion('type', [
  cardSchema,
  textSchema,
  dateTimeSchema,
  badgeSchema,
  buttonSchema,
  linkSchema,
  dividerSchema,
])

/** The whole answer to `fetch_data`. */
export const payloadSchema = z.strictObject({
  version: z.string(),
  header: headerSchema,
  components: z.array(componentSchema),
})

/** The five colours of a badge. */
export type BadgeColor = z.infer<typeof badgeColorSchema>
/** What a card may hold: every component but a card. */
export type CardChild = Text | DateTime | Badge | Button | Link | Divider
/** Any of the seven components. */
export type Component = Card | CardChild

// Interfaces, not aliases: an editor and the compiler then show them by their names.
/** The title and the icon of a payload or a card. */
export interface Header extends z.infer<typeof headerSchema> {}
/** A label and a text, which may have several lines. */
export interface Text extends z.infer<typeof textSchema> {}
/** A label and a moment, in RFC 3339. */
export interface DateTime extends z.infer<typeof dateTimeSchema> {}
/** One badge: its text and its colour. */
export interface BadgeItem extends z.infer<typeof badgeItemSchema> {}
/** A label and any number of badges. */
export interface Badge extends z.infer<typeof badgeSchema> {}
/** A button that is a link, for example to an admin dashboard. */
export interface Button extends z.infer<typeof buttonSchema> {}
/** A link. */
export interface Link extends z.infer<typeof linkSchema> {}
/** A line between components; it has no other fields. */
export interface Divider extends z.infer<typeof dividerSchema> {}
/** A card, which groups related components. */
export interface Card extends z.infer<typeof cardSchema> {}
/** What an endpoint answers to a data fetch: schema 1.0.0. */
export interface Payload extends z.infer<typeof payloadSchema> {}
