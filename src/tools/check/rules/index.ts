import type { RuleGroup } from '../../service/response-rule.ts'
import { authenticationRules } from './authentication.ts'
import { dataRules } from './data.ts'
import { errorRules } from './errors.ts'
import { failureRule } from './failures.ts'
import { futureRules } from './future.ts'
import { handshakeRules } from './handshake.ts'
import { latencyRules } from './latency.ts'
import { parameterRules } from './parameters.ts'
import { componentRules, payloadRules } from './payload.ts'
import { reachabilityRules } from './responses.ts'
import type { CheckRule } from './rule.ts'
import { securityRules } from './security.ts'

/** Every rule, group by group, in the order of reports. @see docs/checks/README.md */
export const RULES: readonly CheckRule[] = [
  ...reachabilityRules,
  ...handshakeRules,
  ...dataRules,
  failureRule,
  ...payloadRules,
  ...componentRules,
  ...parameterRules,
  ...futureRules,
  ...errorRules,
  ...authenticationRules,
  ...securityRules,
  ...latencyRules,
]

/** The groups of rules, in the order of reports. */
export const GROUPS: readonly RuleGroup[] = [...new Set(RULES.map(({ group }) => group))]
