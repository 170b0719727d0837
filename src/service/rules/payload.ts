import { SCHEMA_VERSION } from '../../contract/version.ts'
import { type IssueRule, WRONG_TYPE } from './payload-rule.ts'

/** The rules about the payload's own fields. @see docs/checks/payload.md */
export const payloadRules: readonly IssueRule[] = [
  {
    id: 'payload-version',
    group: 'payload',
    level: 'MUST',
    covers: [{ codes: ['missing_field', ...WRONG_TYPE], at: 'version' }],
    title: 'The payload has a version string',
    contract: {
      statement: 'Top-level object: `version`, string, required: the schema version.',
      anchor: 'payload',
      basis: 'stated',
    },
    fix: `Add "version": "${SCHEMA_VERSION}".`,
    why: 'The service reads version to select the schema. The number `1` is not a string.',
  },
  {
    id: 'payload-header',
    group: 'payload',
    level: 'MUST',
    covers: [{ codes: ['missing_field', ...WRONG_TYPE], at: 'header' }],
    title: 'The payload has a header object',
    contract: {
      statement: 'Top-level object: `header`, object, required.',
      anchor: 'payload',
      basis: 'stated',
    },
    fix: 'Add "header": { "title": "…" }.',
    why: 'The header is required, even if empty. `null` and strings are not objects.',
  },
  {
    id: 'payload-components',
    group: 'payload',
    level: 'MUST',
    covers: [
      { codes: ['missing_field', ...WRONG_TYPE], at: 'components' },
      { codes: ['too_many_components'] },
    ],
    title: 'The payload has a components array',
    contract: {
      statement: 'Top-level object: `components`, array, required.',
      anchor: 'payload',
      basis: 'stated',
    },
    fix: 'Add "components": []. An empty array is allowed.',
    why: 'A single component still needs an array. An object with numeric keys, which some languages produce for sparse lists, is not an array.',
  },
  {
    id: 'unknown-fields',
    group: 'payload',
    level: 'ASSUMED',
    assumption: 'A2',
    covers: [{ codes: ['unknown_field'] }],
    title: 'There are no fields outside the contract',
    contract: {
      statement:
        'The tables list the fields of the payload, of headers, components and badge items. The effect of other fields is not specified.',
      anchor: 'payload',
      basis: 'unspecified',
    },
    fix: 'Remove the field or correct its name.',
    why: 'An unknown field is usually a misspelling, such as `iconUrl` for `icon_url`. On a divider it violates the contract: see `divider-fields`.',
  },
]
