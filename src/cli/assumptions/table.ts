import { decideRateLimits, decideStatuses } from './api-errors.ts'
import type { Assumption } from './assumption.ts'
import { decideEmulator } from './emulator-defaults.ts'
import { decideFields } from './fields.ts'
import type { AssumptionId } from './ids.ts'
import { decideLinks } from './opened-links.ts'
import { decidePagination } from './pagination.ts'
import { decideAgent, decideParameters, decideRequestForm } from './parameters.ts'
import { decideFailures, decideTimeout } from './times.ts'

const RENDERING = 'the service shows the payload to agents and sends nothing back'

/**
 * How traffic decides each assumption of docs/assumptions.md, or why it cannot. A new
 * assumption does not compile until it has an entry.
 */
export const ASSUMPTIONS = {
  A1: { claim: 'The service shows a header without a title or an icon.', undecidable: RENDERING },
  A2: { claim: 'The service ignores fields outside the contract.', undecidable: RENDERING },
  A3: { claim: 'The service accepts version 1.0.0.', undecidable: RENDERING },
  A4: {
    claim: 'A data fetch has each ID at most once, and leaves an absent ID out or empty.',
    decide: decideParameters,
  },
  A5: { claim: 'The service does not repeat a data fetch that failed.', decide: decideFailures },
  A6: {
    claim:
      'Each request has one documented request_type, and a handshake has one code of at most 512 characters.',
    decide: decideRequestForm,
  },
  A7: { claim: 'The service waits at least 5,000 ms for a response.', decide: decideTimeout },
  A8: {
    claim: 'The service accepts 1,000 components and 256 KiB.',
    undecidable: RENDERING,
  },
  A9: {
    claim: 'Links can be http, https, mailto and tel.',
    undecidable: "links are opened by the agent's browser, not through the endpoint",
  },
  A10: { claim: 'The service accepts the rare forms of RFC 3339.', undecidable: RENDERING },
  A11: {
    claim: 'The parameter cursor requests the next page of a list.',
    decide: decidePagination,
  },
  A12: {
    claim: 'A 2xx response has data, and an error has a message or a code in a known field.',
    decide: decideStatuses,
  },
  A13: {
    claim: 'A response with status 429 asks to wait at most 60 seconds.',
    decide: decideRateLimits,
  },
  A14: {
    claim: 'Fields of API responses are absent or have the documented type.',
    decide: decideFields,
  },
  A15: {
    claim:
      'The API returns 200 for success, sends 50 items per page, and empties a redacted message.',
    decide: decideEmulator,
  },
  A16: { claim: 'Requests do not say which agent opened the issue.', decide: decideAgent },
  A17: { claim: 'Links stay whole, and only agents open them.', decide: decideLinks },
} satisfies Record<AssumptionId, Assumption>
