import type { Task } from '../../../runtime/contract/resources.ts'

/** A task that was created through the API. The API's own responses have no status. */
export type TaskView = Task & { readonly status: string }
