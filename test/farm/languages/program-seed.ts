import type { Seed } from '../seed.ts'

export type LanguageName = 'python' | 'ruby' | 'php' | 'go'

/** A defect in a program of another language: the text that replaces its line CHANGE. */
export interface ProgramSeed extends Pick<Seed, 'id' | 'group' | 'rules'> {
  readonly language: LanguageName
  readonly defect: string
  /** The same change with the right key. Empty for the program without a change. */
  readonly twin: string
}

/** A defect, or a defect and its twin. */
export type Change = string | readonly [defect: string, twin: string]

/** Returns a function that creates the seeds of a table: one line for each. */
export const seedsOf =
  (language: LanguageName) =>
  (
    group: string,
    rules: readonly string[],
    table: Readonly<Record<string, Change>>,
  ): readonly ProgramSeed[] =>
    Object.entries(table).map(([id, change]) => {
      const [defect, twin = ''] = typeof change === 'string' ? [change] : change
      return { id: `${language}/${id}`, group, rules, language, defect, twin }
    })

export const OTHERS = 'another customer’s data'
export const AUTH = 'authentication'
export const UNKNOWN = 'unknown customers'

export const LEAK = ['security-isolation']
export const TEXTS = ['security-isolation', 'data-shows']
export const REJECTION = ['auth-rejection-data', 'security-isolation']
export const OPEN = ['auth-data-*', 'auth-handshake-*']
export const HANDSHAKE = ['handshake-*']
export const SCHEMA = [
  'payload-*',
  'component-*',
  'card-*',
  'field-*',
  'badge-*',
  'button-*',
  'divider-*',
  'date-time',
  'uri*',
]
export const HTTP = ['data-*', 'response-*']
