/**
 * The builders: plain functions that take exactly the contract's fields and
 * return plain objects. What the types cannot forbid is refused at the call.
 *
 * @module
 */
export type { UriOptions } from './arguments.ts'
export { badge, type BadgeFields } from './badge.ts'
export { button, type ButtonFields } from './button.ts'
export { card, type CardFields } from './card.ts'
export type { CardItem, Child, FetchDataResult } from './children.ts'
export { dateTime, type DateTimeFields } from './date-time.ts'
export { divider } from './divider.ts'
export type { HeaderFields } from './header.ts'
export { InvalidComponentError } from './invalid-component-error.ts'
export { link, type LinkFields } from './link.ts'
export { payload, type PayloadFields } from './payload.ts'
export { isSection, type Loaded, section, type Section, type SectionOptions } from './section.ts'
export { text, type TextFields } from './text.ts'
