import { cancel, isCancel, select, text } from '@clack/prompts'
import { checkName } from './name.ts'
import { type Template, TEMPLATES } from './templates.ts'

/** What a person is asked when the command line does not say it. */
export async function askName(): Promise<string | undefined> {
  const answer = await text({
    message: 'What shall it be called?',
    placeholder: 'billing-card',
    validate: (value) => {
      try {
        checkName(value ?? '')
        return undefined
      } catch (error) {
        return error instanceof Error ? error.message : 'Choose another name.'
      }
    },
  })
  return isCancel(answer) ? goneAway() : answer
}

/** Which template a person wants; `undefined` when they went away. */
export async function askTemplate(): Promise<Template['name'] | undefined> {
  const answer = await select({
    message: 'Where shall it run?',
    options: TEMPLATES.map(({ name, summary }) => ({ value: name, label: summary, hint: name })),
  })
  return isCancel(answer) ? goneAway() : answer
}

function goneAway(): undefined {
  cancel('Nothing was written.')
  return undefined
}
