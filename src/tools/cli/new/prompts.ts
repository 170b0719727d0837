import { cancel, isCancel, select, text } from '@clack/prompts'
import { EXIT_CODES } from '../exit-codes.ts'
import { validateName } from './name.ts'

/** Prompts for the project's name. @returns `undefined` if the user canceled */
export function promptName(): Promise<string | undefined> {
  return answerOf(
    text({
      message: 'Project name?',
      placeholder: 'billing-card',
      validate: (value) => {
        try {
          validateName(value ?? '')
          return undefined
        } catch (error) {
          return error instanceof Error ? error.message : 'Choose another name.'
        }
      },
    }),
  )
}

/** Prompts for one of several items, unless there is only one. @returns `undefined` if the user canceled */
export async function promptItem<Item extends { readonly name: string; readonly summary: string }>(
  message: string,
  items: readonly Item[],
): Promise<Item | undefined> {
  if (items.length === 1) return items[0]
  const options = items.map(({ name, summary }) => ({ value: name, label: summary, hint: name }))
  const name = await answerOf(select({ message, options }))
  return items.find((item) => item.name === name)
}

/** Returns the answer to a prompt, which would wait forever after the end of standard input. */
async function answerOf<Choice>(
  prompt: Promise<Choice>,
): Promise<Exclude<Choice, symbol> | undefined> {
  // The open prompt would still write to the terminal, so the process exits here.
  const end = () => {
    cancel(CANCELED)
    process.exit(EXIT_CODES.interrupted)
  }
  process.stdin.once('end', end).once('close', end)
  // Ctrl-D only closes the prompt, so the event loop becomes empty and the process would exit
  // silently.
  process.once('beforeExit', end)
  try {
    const choice = await prompt
    if (!isCancel(choice)) return choice as Exclude<Choice, symbol>
    cancel(CANCELED)
    return undefined
  } finally {
    process.stdin.off('end', end).off('close', end)
    process.off('beforeExit', end)
  }
}

const CANCELED = 'Canceled. No files were written.'
