import { createEmulator, type EmulatorOptions, type WidgetView } from 'sidecard/emulator'

/** The responses of an in-process endpoint. */
export interface Responses {
  readonly verify?: (code: string, request: Request) => Response | Promise<Response>
  readonly data?: (url: URL, request: Request) => Response | Promise<Response>
}

/** An in-process endpoint whose responses a test can change. */
export function endpoint({ verify, data }: Responses = {}) {
  const requests: Request[] = []
  return {
    requests,
    fetch(request: Request) {
      requests.push(request)
      const url = new URL(request.url)
      const code = url.searchParams.get('code') ?? ''
      if (url.searchParams.get('request_type') === 'verify') {
        return verify?.(code, request) ?? Response.json({ code })
      }
      return data?.(url, request) ?? Response.json(widget('Pro'))
    },
  }
}

/** Creates a valid payload with one text. */
export function widget(value: string) {
  return payload([{ type: 'text', label: 'Plan', value }])
}

/** Creates a payload with components. */
export function payload(components: readonly unknown[]) {
  const header = { title: 'Billing', icon_url: 'https://example.com/icon.png' }
  return { version: '1.0.0', header, components }
}

/** Creates an emulator with one connected app. */
export async function connect(responses: Responses = {}, options: EmulatorOptions = {}) {
  const emulator = createEmulator(options)
  const target = endpoint(responses)
  const app = await emulator.apps.create({ name: 'Billing', target })
  const open = async (how?: Parameters<typeof emulator.issues.open>[1]): Promise<WidgetView> => {
    const { widgets } = await emulator.issues.open('iss_1042', how)
    const [first] = widgets
    if (first === undefined) throw new Error('the issue has no widget')
    return first
  }
  return { emulator, target, app, open }
}
