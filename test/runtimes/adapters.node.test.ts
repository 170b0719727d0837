import { handle as handleLambda } from 'hono/aws-lambda'
import { handle as handleVercel } from 'hono/vercel'
import { expect, test } from 'vitest'
import { secretHeader, sidecard, text } from 'sidecard'

const silent = () => undefined
const app = sidecard({
  header: { title: 'Billing' },
  auth: secretHeader('x-key', () => 's'),
  logger: { debug: silent, info: silent, warn: silent, error: silent },
  fetchData: (ctx) => [text({ label: 'Account', value: ctx.require('account_id') })],
})

test('the adapter for AWS Lambda responds to an event of API Gateway (HTTP API)', async () => {
  const handler = handleLambda(app)
  const event = (rawQueryString: string, headers: Record<string, string>) => ({
    version: '2.0',
    routeKey: '$default',
    rawPath: '/',
    rawQueryString,
    headers: { host: 'example.com', ...headers },
    isBase64Encoded: false,
    requestContext: {
      domainName: 'example.com',
      http: { method: 'GET', path: '/' },
      identity: {},
    },
  })
  const send = async (query: string, headers: Record<string, string>) => {
    const response = (await handler(event(query, headers) as never)) as {
      statusCode: number
      body: string
    }
    return [response.statusCode, JSON.parse(response.body)] as const
  }
  expect(await send('request_type=verify&code=a%2Bb', { 'x-key': 's' })).toEqual([
    200,
    { code: 'a+b' },
  ])
  const [status, payload] = await send('request_type=fetch_data&account_id=acc_1', { 'x-key': 's' })
  expect([status, payload.components[0].value]).toEqual([200, 'acc_1'])
  expect((await send('request_type=verify&code=x', {}))[0]).toBe(401)
})

test('the adapter for Vercel responds to a request', async () => {
  const GET = handleVercel(app)
  const url = 'https://example.com/?request_type=verify&code=x'
  const response = await GET(new Request(url, { headers: { 'x-key': 's' } }))
  expect(await response.json()).toEqual({ code: 'x' })
})
