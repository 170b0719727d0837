import { must } from '../../service/response-rule.ts'
import { dropRepeated } from '../responses/leak.ts'
import { findForeignData } from '../responses/isolation.ts'
import {
  createTruths,
  findDisclosure,
  findMissing,
  isSimilar,
  provesData,
} from '../responses/truths.ts'
import { type CheckRule, notApplicable, PASSED, skipped, unproven, violation } from './rule.ts'

const PROOF =
  "pass two customers, each with a text that only its sidebar shows: --param account_id=… --shows '…' --param account_id=… --shows '…'"

const FIX_LOOKUP = 'Compare each ID as a whole, and in the same letter case.'

/** The rule that each customer's sidebar contains only their own data. */
export const isolation: CheckRule = {
  id: 'security-isolation',
  isHarmful: true,
  group: 'security',
  title: 'Each customer gets only their own data',
  ...must('data-fetch', '`account_id`: ID of the account that owns the issue.'),
  fix: 'Keep IDs in request scope, and include all of them in every cache key.',
  why: "A shared variable, or a cache key that omits an ID, shows one customer's data on another's issue. Pass two customers, each with texts that only its sidebar shows. Every response is searched for the texts of the others, and for links that name them. The checker also asks for IDs and emails like theirs. If IDs differ only in letter case, that is a warning.",
  evaluate(evidence) {
    const { settings, rateLimited } = evidence
    const truths = createTruths(settings)
    // An endpoint may find everybody at the domain of an email address.
    const isByDomain = findDisclosure(evidence.of('sameDomain'), truths) !== undefined
    const searched = [...evidence.all, ...rateLimited].filter(
      ({ name }) => !isByDomain || !name.includes(' in the email of '),
    )
    const disclosed = findDisclosure(dropRepeated(searched), truths)
    if (disclosed !== undefined) {
      const { probe, truth, path } = disclosed
      const message = `${probe.name}: contains a text that only ${truth.name} shows`
      const fails = probe.role !== 'otherCase'
      return violation({ path, message, fails, ...(isSimilar(probe) && { fix: FIX_LOOKUP }) })
    }
    const probes = evidence.with('identity')
    const leaks = findForeignData(probes, dropRepeated(probes), truths)
    const leak = leaks.find(({ isDoubtful }) => !isDoubtful) ?? leaks[0]
    if (leak !== undefined) {
      const { message, path, isDoubtful } = leak
      if (!isDoubtful) return violation({ message, ...(path !== undefined && { path }) })
      const reason = `${message}, which may be a word of the page`
      return unproven(reason, 'pass a customer whose ID is not a word')
    }
    if (truths.length < 2) return unproven('fewer than two customers were passed with texts', PROOF)
    const usable = truths.filter(provesData)
    if (usable.length < 2) {
      const reason = 'the texts are parts of the requested IDs, which an endpoint can repeat'
      return unproven(reason, PROOF)
    }
    const proven = usable.filter((truth) => {
      const { missing, total } = findMissing(truth, probes)
      return total > 0 && missing.length === 0
    })
    // That A's sidebar lacks the texts of B is only evidence if B's own sidebar shows them.
    return proven.length < 2
      ? unproven('the texts of fewer than two customers were found', PROOF)
      : PASSED
  },
}

/** The rule that the sidebars of passed customers contain their texts. */
export const shows: CheckRule = {
  id: 'data-shows',
  group: 'data',
  title: 'The sidebar shows the texts of the requested customer',
  ...must('data-fetch', 'The endpoint responds with the data of the issue’s account.'),
  fix: 'Pass IDs that the endpoint knows, and texts that the sidebar of this customer shows.',
  why: 'The texts of `shows` prove that the right data is shown. A mistyped ID or the data of another customer would otherwise look like success.',
  evaluate(evidence) {
    const truths = createTruths(evidence.settings)
    if (truths.length === 0) return notApplicable('no customer was passed with texts')
    const probes = evidence.with('identity').filter(({ role }) => role !== 'email' && role !== 'id')
    const found = truths.map((truth) => ({ ...truth, ...findMissing(truth, probes) }))
    if (found.every(({ total }) => total === 0)) return skipped('no payload was received')
    const lacking = found.filter(({ missing }) => missing.length > 0)
    const violations = lacking.map(({ name, missing, total }) => {
      const all = missing.length === total
      const reason = all ? 'the ID is unknown, or the sidebar does not show it' : missing[0]?.name
      const message = `${missing.length} of ${total} data fetches for ${name} lack a text that it shows: ${reason}`
      return { message }
    })
    return { violations }
  },
}
