import { cancel, isCancel, select, text } from '@clack/prompts'
import { EXIT_CODES } from '../exit-codes.ts'
import { validateName } from './name.ts'
import { type Template, TEMPLATES } from './templates.ts'

/** Prompts for the project's name. @returns `undefined` if the user canceled */
export async function promptName(): Promise<string | undefined> {
  const choice = await untilEndOfInput(
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
  return isCancel(choice) ? handleCancel() : choice
}

/** Prompts for the template. @returns `undefined` if the user canceled */
export async function promptTemplate(): Promise<Template | undefined> {
  const choice = await untilEndOfInput(
    select({
      message: 'Where will it run?',
      options: TEMPLATES.map(({ name, summary }) => ({ value: name, label: summary, hint: name })),
    }),
  )
  if (isCancel(choice)) return handleCancel()
  return TEMPLATES.find(({ name }) => name === choice)
}

/** A prompt would wait forever if standard input has already ended. */
async function untilEndOfInput<Choice>(prompt: Promise<Choice>): Promise<Choice> {
  // The open prompt would still write to the terminal, so the process exits here.
  const end = () => {
    handleCancel()
    process.exit(EXIT_CODES.interrupted)
  }
  process.stdin.once('end', end).once('close', end)
  // Ctrl-D only closes the prompt, so the event loop becomes empty and the process would exit
  // silently.
  process.once('beforeExit', end)
  try {
    return await prompt
  } finally {
    process.stdin.off('end', end).off('close', end)
    process.off('beforeExit', end)
  }
}

function handleCancel(): undefined {
  cancel('Canceled. No files were written.')
  return undefined
}
