/**
 * The types of the payload. Generated from `payload.ts` by `npm run generate`.
 */
import type { BADGE_COLORS } from './vocabulary.ts'

/** The payload that an endpoint returns for a data fetch: schema 1.0.0. */
export interface Payload {
  /** The schema version: `1.0.0`. */
  version: string
  /** The title and icon of a widget or card. */
  header: Header
  /** The components, in the order shown. */
  components: Component[]
}

/** The title and icon of a widget or card. */
export interface Header {
  /** The title of the widget or card. */
  title?: string | undefined
  /** An icon next to the title: an http or https URL. */
  icon_url?: string | undefined
}

/** A group of related components. */
export interface Card {
  /** The type of the component. */
  type: 'card'
  /** The title and icon of the card. */
  header?: Header | undefined
  /** The components in the card: any type except `card`. */
  components: CardChild[]
}

/** A label with text, which may have several lines. */
export interface Text {
  /** The type of the component. */
  type: 'text'
  /** The label, shown next to the value. */
  label: string
  /** The text. It may have several lines; overflowing text is truncated. */
  value: string
  /** An icon next to the label: an http or https URL. */
  icon_url?: string | undefined
}

/** A label with a date and time. */
export interface DateTime {
  /** The type of the component. */
  type: 'date_time'
  /** The label, shown next to the value. */
  label: string
  /** An RFC 3339 date-time with an offset: `2026-11-21T09:30:00Z`. */
  value: string
  /** An icon next to the label: an http or https URL. */
  icon_url?: string | undefined
}

/** A label with any number of colored items. */
export interface Badge {
  /** The type of the component. */
  type: 'badge'
  /** The label, shown next to the value. */
  label: string
  /** Any number of items. */
  items: BadgeItem[]
}

/** One colored item of a badge. */
export interface BadgeItem {
  /** The text of the item. A text that is too long is truncated. */
  value: string
  /** The color of a badge item. */
  color: (typeof BADGE_COLORS)[number]
}

/** A button that opens a URL, for example in an admin dashboard. */
export interface Button {
  /** The type of the component. */
  type: 'button'
  /** The text on the button. */
  label: string
  /** The kind of button. The contract has only links. */
  button_type: 'link'
  /** The URL that the button opens. */
  url: string
}

/** A link. */
export interface Link {
  /** The type of the component. */
  type: 'link'
  /** The text of the link. */
  label: string
  /** The URL that the link opens. */
  url: string
}

/** A line between components. It has no other fields. */
export interface Divider {
  /** The type of the component. */
  type: 'divider'
}

/** Any component; `type` selects its shape. */
export type Component = Card | Text | DateTime | Badge | Button | Link | Divider

/** Any component that a card can contain: all but a card. */
export type CardChild = Text | DateTime | Badge | Button | Link | Divider
