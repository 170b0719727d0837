/**
 * Sidecard: custom sidebar apps for a customer-support issue service.
 *
 * @module
 */
export { isSidecardError, SidecardError } from './errors.ts'
