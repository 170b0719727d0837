/** Lists the failures of a response whose content was replaced, completely or in part. */
export const FAILURE_HEADER = 'x-sidecard-failure'

/**
 * Contains the trace ID of a data fetch with a failure or a designed card. The
 * log line has the same ID.
 */
export const TRACE_HEADER = 'x-sidecard-trace'

/** Names the designed card that the agent sees instead of customer data. */
export const OUTCOME_HEADER = 'x-sidecard-outcome'

/** Contains the failures with their errors, for developers only. */
export const ERROR_HEADER = 'x-sidecard-error'

/** Requests {@link ERROR_HEADER} if its value is `1`. */
export const DEV_HEADER = 'x-sidecard-dev'

/** Contains the ID of the running code, for developers only. New code has another ID. */
export const INSTANCE_HEADER = 'x-sidecard-instance'

/** Names the project whose code responds, for developers only. */
export const PROJECT_HEADER = 'x-sidecard-project'

/** Contains the conditions under which sections settle without their source, for developers only. */
export const SECTIONS_HEADER = 'x-sidecard-sections'

/** Reports which conditions of {@link SECTIONS_HEADER} were applied. */
export const SECTIONS_APPLIED_HEADER = 'x-sidecard-sections-applied'

/** Contains the state in which the page of an action is shown, for developers only. */
export const PAGE_STATE_HEADER = 'x-sidecard-page-state'

/** Names the state of {@link PAGE_STATE_HEADER} that the page shows. */
export const PAGE_STATE_APPLIED_HEADER = 'x-sidecard-page-state-applied'

/** The variable that allows the headers for developers, set to `1`. */
export const DEV_VARIABLE = 'SIDECARD_DEV'

/** The variable with the value of {@link PROJECT_HEADER}. The tools set it when they start an app. */
export const PROJECT_VARIABLE = 'SIDECARD_PROJECT'
