/** A task that was created through the API, for the workspace. */
export interface TaskView {
  readonly id: string
  readonly title: string
  readonly status: string
  /** A timestamp. */
  readonly createdAt: string
  /** As it was sent. */
  readonly dueDate: string | null
  readonly accountId: string | null
  /** The email address of the assigned user, or their ID. */
  readonly assignee: string | null
}
