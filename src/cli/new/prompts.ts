import { cancel, isCancel, select, text } from '@clack/prompts'
import { EXIT_CODES } from '../exit-codes.ts'
import { validateName } from './name.ts'
import { type DataName, DATA_SOURCES, type Host, listDataNames } from './templates.ts'

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

/** Prompts for the host. @returns `undefined` if the user canceled */
export async function promptHost(hosts: readonly Host[]): Promise<Host | undefined> {
  const choice = await untilEndOfInput(
    select({ message: 'Where will it run?', options: hosts.map(toChoice) }),
  )
  if (isCancel(choice)) return handleCancel()
  return hosts.find(({ name }) => name === choice)
}

/** Prompts for the data source. @returns `undefined` if the user canceled */
export async function promptData(host: Host): Promise<DataName | undefined> {
  const names = listDataNames(host)
  const options = DATA_SOURCES.filter(({ name }) => names.includes(name)).map(toChoice)
  const choice = await untilEndOfInput(select({ message: 'Where is the data?', options }))
  return isCancel(choice) ? handleCancel() : choice
}

function toChoice<Name extends string>({ name, summary }: { name: Name; summary: string }) {
  return { value: name, label: summary, hint: name } as {
    value: Name
    label: string
    hint: string
  }
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
