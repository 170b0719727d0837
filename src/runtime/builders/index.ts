/**
 * The builders: plain functions that take exactly the contract's fields and return
 * plain objects. Mistakes that types cannot catch throw an error at the call.
 *
 * @module
 */
export { badge, type BadgeFields } from './components/badge.ts'
export { button, type ButtonFields } from './components/button.ts'
export { calendarDate } from './values/calendar-date.ts'
export { dateAndTime } from './values/date-and-time.ts'
export { dayOf } from './values/day-of.ts'
export { card, type CardFields } from './components/card.ts'
export type { Child, FetchDataResult, PayloadOfChildren } from './components/child.ts'
export type { Absent, CardItem, Nested, NestedCard } from './components/children.ts'
export { dateTime, type DateTimeFields } from './components/date-time.ts'
export { divider } from './components/divider.ts'
export type { FieldPairs, FieldsOptions, FieldValue, FieldsInput } from './values/field-value.ts'
export { fields } from './values/fields.ts'
export type { HeaderFields } from './components/header.ts'
export { InvalidComponentError } from './components/invalid-component-error.ts'
export { link, type LinkFields } from './components/link.ts'
export { localized, type LocalizedHelpers } from './values/localized.ts'
export { type MajorUnits, money, toMajorUnits, toMinorUnits } from './values/money.ts'
export { payload, type PayloadFields } from './components/payload.ts'
export { isSection, type LoadSection, type Section } from './components/section.ts'
export type { SectionChild, SectionContent } from './components/section.ts'
export { status } from './values/status.ts'
export { text, type TextFields } from './components/text.ts'
