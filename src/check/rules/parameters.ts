import type { DataProbe } from '../probe.ts'
import { fault, KEPT, skipped } from './rule.ts'
import type { CheckRule, Judgement } from './rule.ts'

const absent: CheckRule = {
  id: 'parameters-absent',
  group: 'parameters',
  level: 'ASSUMED',
  assumption: 'A4',
  title: 'A data fetch without ids gets a payload',
  contract: {
    says: 'The table lists the parameters of a data fetch. Which of them are always present is not shown.',
    anchor: 'data-fetch',
    basis: 'silence',
  },
  fix: 'Treat each id as one that may be absent, and answer with a payload that says what is missing.',
  why: 'An issue without an account, or a requester without an e-mail address, may well exist.',
  judge: ({ parameters, samples }) => judgePayload(parameters.absentIds, samples),
}

const empty: CheckRule = {
  id: 'parameters-empty',
  group: 'parameters',
  level: 'ASSUMED',
  assumption: 'A4',
  title: 'A data fetch with empty ids gets a payload',
  contract: {
    says: 'The table lists the parameters of a data fetch. Whether one may be empty is not shown.',
    anchor: 'data-fetch',
    basis: 'silence',
  },
  fix: 'Treat an empty id like an absent one.',
  why: 'A lookup with an empty id often finds everything instead of nothing: the first customer of the table, or all of them.',
  judge: ({ parameters, samples }) => judgePayload(parameters.emptyIds, samples),
}

const email: CheckRule = {
  id: 'parameters-email',
  group: 'parameters',
  level: 'MUST',
  title: 'Every e-mail address gets a payload',
  contract: {
    says: '`requester_email`: email of the requester.',
    anchor: 'data-fetch',
    basis: 'words',
  },
  fix: 'Read the query with the parser of your language, once, and pass values to your database as parameters.',
  why: 'A plus sign, an apostrophe, a percent sign and an ampersand are allowed in an address. Decoding twice, or writing the value into a query, breaks on them.',
  judge: ({ parameters, samples }) => judgePayload(parameters.specialEmail, samples),
}

/** Judges the answer to special parameters by what goes wrong with them only. */
function judgePayload(probe: DataProbe | undefined, usual: readonly DataProbe[]): Judgement {
  if (probe === undefined) return skipped('asked of an endpoint only once its data answer is right')
  if (!probe.verdict.ok) return fault({ message: probe.verdict.message })
  const known = new Set(usual.flatMap(({ findings }) => findings.map(({ rule }) => rule)))
  const broken = probe.findings.find(({ level, rule }) => level === 'MUST' && !known.has(rule))
  if (broken === undefined) return KEPT
  return fault({
    message: `the payload is wrong: ${broken.message}`,
    ...(broken.path !== undefined && { path: broken.path }),
  })
}

/** Every rule of the parameters, in the order of the reports. */
export const parameterRules: readonly CheckRule[] = [absent, empty, email]
