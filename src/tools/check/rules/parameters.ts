import { assumed, inGroup, must } from '../../service/response-rule.ts'
import type { Evidence } from '../probes/evidence.ts'
import { isPassed } from '../customers.ts'
import type { DataProbe, UnusualProbe } from '../probe.ts'
import { readPayload } from '../../service/responses/reading.ts'
import { createViews } from '../../../runtime/internal/decoded-views.ts'
import { findPlace } from '../responses/leaks.ts'
import { findFirst, skipped, unproven, violation } from './rule.ts'
import type { CheckRule, CheckViolation, RuleOutcome } from './rule.ts'

/** Reports only problems that absent or empty parameters cause. */
function evaluateWithout(evidence: Evidence, role: 'absentIds' | 'emptyIds'): RuleOutcome {
  const [probe] = evidence.of(role)
  return probe === undefined
    ? skipped('no response was received')
    : violation(findProblem(probe, evidence.of('sample')))
}

/** Reports problems that a special text causes, and a payload that the text changes. */
function evaluateUnusual(evidence: Evidence, role: 'email' | 'id'): RuleOutcome {
  const usual = evidence.of('sample', 'known', 'fake', 'alone')
  const probes = evidence.of(role).flatMap((probe) => {
    const same = usual.filter(({ customer }) =>
      isPassed(probe.customer) ? customer.name === probe.customer.name : !isPassed(customer),
    )
    return same.some(({ payload }) => payload !== undefined)
      ? [{ probe, same, name: probe.name }]
      : []
  })
  const find = ({ probe, same }: (typeof probes)[number]) =>
    (probe.special.isInvalid ? undefined : findProblem(probe, probe.isPassedId ? usual : same)) ??
    findInjection(probe, same)
  const found = findFirst(probes, find)
  // A rejection of every value shows nothing that a value could have changed.
  if (found === undefined && !probes.some(({ probe }) => probe.payload !== undefined)) {
    const [what, name] =
      role === 'email' ? ['email address', 'requester_email'] : ['ID', 'issue_id']
    return unproven(`no data was returned for another ${what}`, `pass a customer without ${name}`)
  }
  return violation(found)
}

/** Finds components that a text adds or removes, and a text that was evaluated or replaced. */
function findInjection(probe: UnusualProbe, usual: readonly DataProbe[]) {
  const { exchange, payload, words, special, isPassedId } = probe
  const contains = (end: string) => (text: string) =>
    words.some((word) => text.toLowerCase().includes(`${word}${end}`.toLowerCase()))
  const path = findPlace(exchange, contains('49'))
  if (path !== undefined) {
    return { path, message: 'the response contains the result of an expression in the value' }
  }
  if (special.isInvalid) {
    const isAdded = exchange.response?.headers['sidecard-check'] !== undefined
    const message = 'a line break in the value adds a header to the response'
    return isAdded ? { message, fails: true } : undefined
  }
  const shown = special.isReplaced && findPlace(exchange, contains(''))
  const isSpecial = contains(special.text ?? '')
  const isUnchanged = (text: string) => createViews(text).some((view) => isSpecial(view.text))
  if (shown && findPlace(exchange, isUnchanged) === undefined) {
    // An endpoint may show only a part of a value on purpose.
    return { path: shown, message: 'the response replaces a part of the value', fails: false }
  }
  const shapes = new Set(usual.flatMap((each) => (each.payload ? [shapeOf(each)] : [])))
  // A shape that varies anyway, or without a passed ID, proves nothing.
  if (payload === undefined || isPassedId || shapes.size !== 1) return undefined
  if (shapes.has(shapeOf(probe))) return undefined
  return { message: 'the payload has other components than for a usual value' }
}

/** Returns the shape of a payload, in which a label may contain an ID of the request. */
function shapeOf({ payload, customer }: DataProbe): string {
  return Object.values(customer.ids).reduce<string>(
    (shape, id = '') => shape.replaceAll(id || '\0', ''),
    readPayload(payload).shape,
  )
}

/** Returns the problem of a response that is valid with the usual parameters. */
export function findProblem(
  probe: DataProbe,
  usual: readonly DataProbe[],
): CheckViolation | undefined {
  const usualReasons = usual.flatMap(({ problems }) => problems.map(({ reason }) => reason))
  const problem = probe.problems.find(({ reason }) => !usualReasons.includes(reason))
  if (problem !== undefined) return { message: problem.message }
  const usualRules = usual.flatMap(({ findings }) => findings.map(({ rule }) => rule))
  const broken = probe.findings.find(
    ({ level, rule }) => level === 'MUST' && !usualRules.includes(rule),
  )
  if (broken === undefined) return undefined
  const { path, message } = broken
  return { message: `the payload is invalid: ${message}`, ...(path !== undefined && { path }) }
}

/** The rules about parameters, in the order of reports. */
export const parameterRules = inGroup<CheckRule>('parameters', [
  {
    id: 'parameters-absent',
    title: 'Data fetches without IDs return a payload',
    ...assumed('data-fetch', 'Which IDs are always present is not specified.', 'A4'),
    fix: 'Treat every ID as optional, and return a payload that says what is missing.',
    why: 'An issue may have no account, and a requester may have no email address.',
    evaluate: (evidence) => evaluateWithout(evidence, 'absentIds'),
  },
  {
    id: 'parameters-empty',
    title: 'Data fetches with empty IDs return a payload',
    ...assumed('data-fetch', 'Whether an ID may be empty is not specified.', 'A4'),
    fix: 'Treat an empty ID as absent.',
    why: 'A lookup with an empty ID often matches everything: the first customer in the table, or all of them.',
    evaluate: (evidence) => evaluateWithout(evidence, 'emptyIds'),
  },
  {
    id: 'parameters-email',
    title: 'Any valid email address returns a payload',
    ...must('data-fetch', '`requester_email`: email of the requester.'),
    fix: "Parse the query once with your language's URL parser, and bind values as database parameters.",
    why: "Addresses can contain `+`, `'`, `%` and `&`. Decoding twice, or concatenating the value into a query, breaks on them.",
    isHarmful: true,
    evaluate: (evidence) => evaluateUnusual(evidence, 'email'),
  },
  {
    id: 'parameters-id',
    title: 'Any ID returns a payload',
    ...assumed('data-fetch', 'The characters and the length of an ID are not specified.', 'A4'),
    fix: 'Treat an ID as an opaque string. Do not restrict its characters or its length.',
    why: 'IDs that an integration creates can be long or contain non-ASCII letters. The checker only changes IDs that were not passed, and the issue, and only up to 250 characters.',
    evaluate: (evidence) => evaluateUnusual(evidence, 'id'),
  },
])
