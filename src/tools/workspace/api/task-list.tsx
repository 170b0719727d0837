import { useEffect } from 'preact/hooks'
import { formatTime } from '../core/format.ts'
import { Section } from '../parts/section.tsx'
import { FormError } from '../parts/forms/field.tsx'
import { tasks } from '../state/tasks.ts'
import style from './tasks.module.css'

/** The tasks that actions and other clients created in the emulated API. */
export function TaskList() {
  useEffect(() => void tasks.load(), [])
  const list = tasks.data.value
  return (
    <Section title="Tasks">
      <FormError text={tasks.error.value} />
      {list?.length === 0 && (
        <p class="hint">
          No tasks yet. <code>POST /tasks</code> creates one, as the action “Create follow-up task”
          of a new project does.
        </p>
      )}
      {list !== null && list.length > 0 && (
        <table class={style.table}>
          <thead>
            <tr>
              <th scope="col">Title</th>
              <th scope="col">Status</th>
              <th scope="col">Account</th>
              <th scope="col" class={style.wide}>
                Assignee
              </th>
              <th scope="col">Due</th>
              <th scope="col" class={style.wide}>
                Created
              </th>
            </tr>
          </thead>
          <tbody>
            {list.map(({ id, title, status, account, assignee, due_date, created_at = '' }) => (
              <tr key={id}>
                <th scope="row" dir="auto" title={id}>
                  {title}
                </th>
                <td>{status.replaceAll('_', ' ')}</td>
                <td>{account?.id ?? '–'}</td>
                <td class={style.wide}>{assignee?.user?.email ?? assignee?.user?.id ?? '–'}</td>
                <td>{due_date?.slice(0, 10) ?? '–'}</td>
                <td class={style.wide}>
                  <time dateTime={created_at}>{formatTime(created_at)}</time>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
