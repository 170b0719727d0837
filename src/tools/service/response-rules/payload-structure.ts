import { SCHEMA_VERSION } from '../../../runtime/contract/version.ts'
import { type IssueRule, WRONG_TYPE } from './payload-rule.ts'
import { assumed, inGroup, must } from '../response-rule.ts'

/** The rules about the payload's own fields. @see docs/checks/payload.md */
export const payloadRules = inGroup<IssueRule>('payload', [
  {
    id: 'payload-version',
    covers: [{ codes: ['missing_field', ...WRONG_TYPE], at: 'version' }],
    title: 'The payload has a version string',
    ...must('payload', 'Top-level object: `version`, string, required: the schema version.'),
    fix: `Add "version": "${SCHEMA_VERSION}".`,
    why: 'The service reads version to select the schema. The number `1` is not a string.',
  },
  {
    id: 'payload-header',
    covers: [{ codes: ['missing_field', ...WRONG_TYPE], at: 'header' }],
    title: 'The payload has a header object',
    ...must('payload', 'Top-level object: `header`, object, required.'),
    fix: 'Add "header": { "title": "…" }.',
    why: 'The header is required, even if empty. `null` and strings are not objects.',
  },
  {
    id: 'payload-components',
    covers: [
      { codes: ['missing_field', ...WRONG_TYPE], at: 'components' },
      { codes: ['too_many_components'] },
    ],
    title: 'The payload has a components array',
    ...must('payload', 'Top-level object: `components`, array, required.'),
    fix: 'Add "components": []. An empty array is allowed.',
    why: 'A single component still needs an array. An object with numeric keys, which some languages produce for sparse lists, is not an array.',
  },
  {
    id: 'unknown-fields',
    covers: [{ codes: ['unknown_field'] }],
    title: 'There are no fields outside the contract',
    ...assumed(
      'payload',
      'The tables list the fields of the payload, of headers, components and badge items. The effect of other fields is not specified.',
      'A2',
    ),
    fix: 'Remove the field or correct its name.',
    why: 'An unknown field is usually a misspelling, such as `iconUrl` for `icon_url`. On a divider it violates the contract: see `divider-fields`.',
  },
])
