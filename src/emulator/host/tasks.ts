import type { TaskView } from '../protocol/tasks.ts'
import type { Store } from '../store/store.ts'

const MAX_TASKS = 100

/** Lists the most recent tasks, newest first. */
export function listTasks(store: Store): readonly TaskView[] {
  return store
    .all('task')
    .slice(-MAX_TASKS)
    .toReversed()
    .map((task) => {
      const { id = '', title = '', created_at: createdAt = '', account, assignee } = task
      return {
        id,
        title,
        createdAt,
        status: (task as { readonly status?: string }).status ?? 'not_started',
        dueDate: task.due_date ?? null,
        accountId: account?.id ?? null,
        assignee: assignee?.user?.email ?? assignee?.user?.id ?? null,
      }
    })
}
