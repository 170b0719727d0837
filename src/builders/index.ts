/**
 * The builders: plain functions that take exactly the contract's fields and return
 * plain objects. Mistakes that types cannot catch throw an error at the call.
 *
 * @module
 */
export { badge, type BadgeFields } from './badge.ts'
export { button, type ButtonFields } from './button.ts'
export { calendarDate } from './calendar-date.ts'
export { dayOf } from './day-of.ts'
export { card, type CardFields } from './card.ts'
export type { Child, FetchDataResult, PayloadOfChildren } from './child.ts'
export type { Absent, CardItem, Nested, NestedCard } from './children.ts'
export { dateTime, type DateTimeFields } from './date-time.ts'
export { divider } from './divider.ts'
export type { FieldPairs, FieldsOptions, FieldValue, FieldsInput } from './field-value.ts'
export { fields } from './fields.ts'
export type { HeaderFields } from './header.ts'
export { InvalidComponentError } from './invalid-component-error.ts'
export { link, type LinkFields } from './link.ts'
export { localized, type LocalizedHelpers } from './localized.ts'
export { type MajorUnits, money } from './money.ts'
export { payload, type PayloadFields } from './payload.ts'
export { isSection, type LoadSection, type Section } from './section.ts'
export type { SectionChild, SectionContent } from './section.ts'
export { status } from './status.ts'
export { text, type TextFields } from './text.ts'
