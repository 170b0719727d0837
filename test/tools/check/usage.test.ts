import { describe, expect, it } from 'vitest'
import { check } from 'sidecard/check'
import { applyBaseline, parseBaseline } from '../../../src/tools/cli/commands/baseline.ts'
import { explainRule, findRule, listRules } from '../../../src/tools/cli/commands/explain-rule.ts'
import { selectRules } from '../../../src/tools/check/selection.ts'
import { GROUPS, RULES } from '../../../src/tools/check/rules/index.ts'
import { PLAIN } from '../../../src/tools/internal/palette.ts'
import type { CheckOptions } from 'sidecard/check'
import { checkInProcess, findResult, json, payload } from './in-process.ts'
import { MARKS } from './report-fixture.ts'

describe('an option of check()', () => {
  const target = { fetch: () => new Response('{}') }
  const many = Array.from({ length: 21 }, (_, index) => ({ ids: { account_id: `a-${index}` } }))
  const ACME = { account_id: 'acme' }
  const RANGE = 'must be an integer from'

  it.each<readonly [CheckOptions | object, string]>([
    [{ samples: 0 }, 'samples must be an integer from 1 to 50.'],
    [{ samples: 51 }, 'samples must be an integer from 1 to 50.'],
    [{ samples: 1.5 }, 'samples must be an integer from 1 to 50.'],
    [{ latencySamples: -1 }, 'latencySamples must be an integer from 0 to 1000.'],
    [{ latencySamples: 1_001 }, 'latencySamples must be an integer from 0 to 1000.'],
    [{ latencySamples: Number.NaN }, 'latencySamples must be an integer from 0 to 1000.'],
    [{ timeoutMs: 0 }, `timeoutMs ${RANGE} 1 to 2147483647 (milliseconds).`],
    [{ timeoutMs: 2 ** 31 }, `timeoutMs ${RANGE} 1 to 2147483647 (milliseconds).`],
    [{ timeoutMs: Number.NaN }, `timeoutMs ${RANGE} 1 to 2147483647 (milliseconds).`],
    [{ maxWaitMs: -1 }, `maxWaitMs ${RANGE} 0 to 600000 (milliseconds).`],
    [{ maxWaitMs: Infinity }, `maxWaitMs ${RANGE} 0 to 600000 (milliseconds).`],
    [{ maxP95Ms: 0 }, `maxP95Ms ${RANGE} 1 to 2147483647 (milliseconds).`],
    [{ profile: 'prod' }, "profile must be 'full' or 'production'."],
    [{ expectAuth: 'yes' }, "expectAuth must be true, false or 'detect'."],
    [{ expectAuth: true }, 'expectAuth requires the custom headers with the secret.'],
    [
      { customers: many },
      'customers must be an array of up to 20 customers, such as { ids: { account_id }, shows: [name] }.',
    ],
    [{ customers: [{ ids: ACME }, null] }, 'customers[1] must be an object.'],
    [
      { customers: [{ account_id: 'acme' }] },
      'there is no option "customers[0].account_id". The options are ids, shows.',
    ],
    [{ customers: [{ shows: ['Acme'] }] }, 'customers[0].ids must be an object.'],
    [
      { customers: [{ ids: ACME, shows: 'Acme' }] },
      'customers[0].shows must be an array of strings.',
    ],
    [
      { customers: [{ ids: ACME, shows: ['Acme', 'Al'] }] },
      'customers[0].shows[1] is too short. Use at least three letters or digits.',
    ],
    [
      { customers: [{ ids: { app_id: 'a-1' }, shows: ['Acme'] }] },
      'customers[0] has texts but no customer ID, such as account_id.',
    ],
    [
      {
        customers: [
          { ids: ACME, shows: ['Acme'] },
          { ids: { account_id: 'acme-gmbh' }, shows: ['Acme GmbH'] },
        ],
      },
      'customers[0].shows[0] is contained in a text of customers[1]. Use texts that only one sidebar shows.',
    ],
  ])('%j is rejected before the first request', async (options, message) => {
    let requests = 0
    const counted = { fetch: () => ((requests += 1), new Response('{}')) }
    await expect(check(counted, options)).rejects.toMatchObject({
      code: 'invalid_options',
      message: `check: ${message}`,
    })
    expect(requests).toBe(0)
  })

  it('that leaves no rule is rejected', async () => {
    await expect(check(target, { only: ['uri'], skip: ['components'] })).rejects.toMatchObject({
      code: 'invalid_options',
      message: 'No rule is selected. Change `only` or `skip`.',
    })
  })

  it.each<CheckOptions>([
    { samples: 50 },
    { samples: 1 },
    { latencySamples: 0, timeoutMs: 1, maxWaitMs: 0, maxP95Ms: 1 },
    { timeoutMs: 2_147_483_647, maxWaitMs: 600_000, maxP95Ms: 2_147_483_647 },
    { expectAuth: true, headers: { 'x-key': 'k' } },
    { expectAuth: false },
    { customers: many.slice(1), profile: 'production', samples: 1 },
    { customers: [] },
    { customers: [{ ids: ACME, shows: ['東京'] }] },
    { customers: [{ ids: { account_id: undefined } }] },
  ])('%j is accepted', async (options) => {
    expect(await check(target, options)).toMatchObject({ version: 2 })
  })

  it('with 20 customers sends a data fetch for each', async () => {
    const { exchanges = [] } = await checkInProcess({}, { customers: many.slice(1), details: true })
    const names = exchanges.map(({ name }) => name)
    const others = many.slice(2).map((_, index) => `data fetch for customer ${index + 2}`)
    expect(others).toHaveLength(19)
    expect(names).toEqual(expect.arrayContaining(['data fetch 1', ...others]))
  })
})

describe('a selection of rules', () => {
  const ids = (only?: readonly string[], skip?: readonly string[]) =>
    selectRules(only, skip).map(({ id }) => id)

  it('contains rules and groups, without those that are skipped, in the order of reports', () => {
    expect(ids()).toEqual(RULES.map(({ id }) => id))
    expect(ids(['uri', 'parameters'], ['parameters-email', 'errors'])).toEqual([
      'uri',
      'parameters-absent',
      'parameters-empty',
      'parameters-id',
      'future-extra-parameter',
      'future-parameter-order',
      'future-no-issue',
      'future-no-requester',
    ])
    expect(ids(undefined, GROUPS.slice(1))).toEqual(
      RULES.filter(({ group }) => group === GROUPS[0]).map(({ id }) => id),
    )
  })

  it.each([
    [['handshake-txt'], 'Unknown rule or group "handshake-txt". Did you mean handshake-text?'],
    [['securty'], 'Unknown rule or group "securty". Did you mean security?'],
    [['xyz'], 'Unknown rule or group "xyz". Run npx sidecard check --list to see all rules.'],
  ])('with the unknown name %j is rejected', (names, message) => {
    const error = expect.objectContaining({ code: 'unknown_rule', message }) as Error
    expect(() => selectRules(names)).toThrow(error)
    expect(() => selectRules(undefined, names)).toThrow(error)
  })

  it('finds one rule', () => {
    expect(findRule('uri').title).toBe('url and icon_url are absolute URIs')
    expect(() => findRule('components')).toThrow(
      'Unknown rule "components". Run npx sidecard check --list to see all rules.',
    )
  })
})

describe('a baseline', () => {
  const FORM = 'The baseline must be a JSON array of rule IDs, such as ["handshake-fields"].'

  it.each([
    ['uri', FORM],
    ['{"uri":1}', FORM],
    ['"uri"', FORM],
    ['["uri", 1]', FORM],
    [
      '["uri", "badge-colr"]',
      'Unknown rule "badge-colr" in the baseline. Did you mean badge-color?',
    ],
    [
      '["xyz"]',
      'Unknown rule "xyz" in the baseline. Run npx sidecard check --list to see all rules.',
    ],
  ])('%j is rejected', (text, message) => {
    expect(() => parseBaseline(text)).toThrow(
      expect.objectContaining({ code: 'invalid_baseline', message }) as Error,
    )
  })

  it('is an array of rules, which may be empty', () => {
    expect(parseBaseline(' ["uri", "badge-color"]')).toEqual(['uri', 'badge-color'])
    expect(parseBaseline('[]')).toEqual([])
  })

  it('marks failures and warnings as known, and names the rules that pass', async () => {
    const report = await checkInProcess({
      data: (received) =>
        json({
          ...payload(received, [{ type: 'chart' }, { type: 'link', label: 'L', url: '/' }]),
          x: 1,
        }),
    })
    expect(report.summary).toMatchObject({ fail: 2, warn: 1, known: 0 })
    const known = applyBaseline(report, [
      'component-type',
      'unknown-fields',
      'badge-color',
      'auth-none',
    ])
    expect(known.summary).toMatchObject({ fail: 1, warn: 0, known: 2 })
    expect(known.stale).toEqual(['badge-color'])
    expect(known.verdict).toBe('violates')
    expect(findResult(known, 'component-type').status).toBe('known')
    expect(findResult(known, 'uri').status).toBe('fail')
    expect(applyBaseline(report, ['component-type', 'uri']).verdict).toBe('not_proven')
    expect(applyBaseline(report, ['component-type', 'uri', 'date-time']).verdict).toBe('violates')
  })
})

describe('the explanation of a rule', () => {
  it('is a page with everything that is known about it, wrapped', () => {
    expect(explainRule(findRule('parameters-empty'), MARKS, 60))
      .toBe(`bold(parameters-empty)  Data fetches with empty IDs return a payload
dim(ASSUMED, not specified by the contract: a violation is a warning)
dim(group parameters)

bold(The contract)
  Whether an ID may be empty is not specified.
  Relies on assumption A4
  (node_modules/sidecard/docs/assumptions.md).

bold(Why)
  A lookup with an empty ID often matches everything: the
  first customer in the table, or all of them.

bold(Fix)
  Treat an empty ID as absent.

bold(Check this rule alone)
  npx sidecard check https://example.com/widget --only
  parameters-empty

bold(This page)
  node_modules/sidecard/docs/checks/parameters.md#parameters-empty
`)
  })

  it.each([
    ['uri', 'MUST, required by the contract: a violation fails the run'],
    ['security-cors', 'SHOULD, recommended: a violation is a warning'],
    ['errors-survive', 'MUST, harmful regardless of the contract: a violation fails the run'],
    ['response-rate-limit', 'ASSUMED, not specified by the contract: a violation fails the run'],
    ['label-unique', 'SHOULD, advice: a violation is a warning that never fails the run'],
  ])('says what a violation of %s causes', (id, level) => {
    const lines = explainRule(findRule(id)).split('\n')
    expect(lines[1]).toBe(level)
    expect(lines.join('\n')).not.toContain('Relies on')
  })
})

describe('the results of a check', () => {
  it('describe their rules, and mark advice', async () => {
    const report = await checkInProcess({}, { profile: 'production', samples: 1 })
    expect(
      report.results.map(({ rule, group, level, title }) => [rule, group, level, title]),
    ).toEqual(RULES.map(({ id, group, level, title }) => [id, group, level, title]))
    expect(findResult(report, 'uri')).toEqual({
      rule: 'uri',
      group: 'components',
      level: 'MUST',
      title: 'url and icon_url are absolute URIs',
      isAdvice: false,
      contract: findRule('uri').contract.statement,
      explain: 'npx sidecard check --explain uri',
      status: 'pass',
      findings: [],
    })
    const advice = report.results.filter(({ isAdvice }) => isAdvice).map(({ rule }) => rule)
    expect(advice).toEqual([
      'component-empty',
      'label-unique',
      'text-serialized',
      'text-markup',
      'text-error-message',
      'text-personal-data',
      'future-extra-parameter',
      'future-parameter-order',
      'future-no-issue',
      'future-no-requester',
      'auth-header-unread',
      'security-shared-values',
      'url-personal-data',
    ])
  })
})

describe('the list of rules', () => {
  it('has a line for each rule, by group', () => {
    const lines = listRules(PLAIN, 200).split('\n')
    const longest = Math.max(...RULES.map(({ id }) => id.length))
    const expected = GROUPS.flatMap((group) => [
      group,
      ...RULES.filter((rule) => rule.group === group).map(
        ({ id, level, title }) => `  ${id.padEnd(longest)}  ${level.padEnd(7)}  ${title}`,
      ),
      '',
    ])
    expect(lines).toEqual(expected)
  })

  it('aligns text that does not fit', () => {
    expect(listRules(MARKS, 60)).toMatch(
      /^bold\(reachability\)\n {2}reachable {19}dim\(MUST {3}\) {2}The endpoint is\n {39}reachable\n {2}reachable-tls /,
    )
  })
})
