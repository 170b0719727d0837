import type { RequestListener } from 'node:http'
import express from 'express'
import { Hono, type MiddlewareHandler } from 'hono'
import { toNodeHandler } from 'sidecard/node'
import { expect, test } from 'vitest'
import { createActionApp, createExtendTrial, readLinks, readPage } from '../../helpers/actions.ts'
import { createRecordingLogger } from '../../helpers/app.ts'
import { listen } from '../../helpers/listen.ts'

const TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

type Host = (app: ReturnType<typeof createActionApp>) => RequestListener

/** Confirms an action behind a host that reads the form before the app. */
async function confirmBehind(createHost: Host) {
  const logger = createRecordingLogger()
  const app = createActionApp(createExtendTrial(), {}, { logger })
  const url = `${await listen(createHost(app))}actions`
  const [link = ''] = await readLinks(app)
  const page = await readPage(await fetch(url + new URL(link).search))
  const fields = { t: page.t!, form: page.form!, 'field-days': '7', 'field-reason': 'é & ü' }
  const headers = { ...TYPE, 'sec-fetch-site': 'same-origin' }
  const body = new URLSearchParams(fields)
  const end = await readPage(await fetch(url, { method: 'POST', headers, body }))
  const problems = logger.lines.flatMap((line) => line.fields['problems'] ?? [])
  return { end, runs: app.journal.runs, problems }
}

const inExpress =
  (...parsers: express.RequestHandler[]): Host =>
  (app) =>
    express().use(...parsers, toNodeHandler(app))

const inHono =
  (middleware: MiddlewareHandler): Host =>
  (app) =>
    toNodeHandler(new Hono().use(middleware).route('/', app))

test.each<[string, Host]>([
  ['no parser', inExpress((_request, _response, next) => next())],
  ['the form parser of Express', inExpress(express.urlencoded())],
  ['its extended form parser', inExpress(express.urlencoded({ extended: true }))],
  ['its text parser', inExpress(express.text({ type: '*/*' }))],
  ['its raw parser', inExpress(express.raw({ type: '*/*' }))],
  ['its JSON parser, which leaves forms unread', inExpress(express.json())],
  [
    'an older parser that sets `body` without reading the form',
    inExpress((request, _response, next) => {
      request.body = {}
      next()
    }),
  ],
  ['parseBody() of a middleware', inHono(async (c, next) => (await c.req.parseBody(), next()))],
  ['text() of a middleware', inHono(async (c, next) => (await c.req.text(), next()))],
  ['arrayBuffer() of a middleware', inHono(async (c, next) => (await c.req.arrayBuffer(), next()))],
])('an action runs with its values behind %s', async (_, host) => {
  const { end, runs, problems } = await confirmBehind(host)
  expect([end.outcome, problems]).toEqual(['done', []])
  expect(runs).toMatchObject([{ values: { days: 7, reason: 'é & ü' } }])
})

const READ = expect.stringContaining('Other code has read the form before the app')

test.each<[string, Host]>([
  [
    'reads the form and keeps nothing',
    inExpress((request, _response, next) => {
      request.resume().once('end', next)
    }),
  ],
  [
    'nests the fields',
    inExpress(express.urlencoded(), (request, _response, next) => {
      request.body = { field: request.body }
      next()
    }),
  ],
  [
    'reads the raw request',
    inHono(async (c, next) => {
      await c.req.raw.text()
      await next()
    }),
  ],
])('the page and the log say why if code before the app %s', async (_, host) => {
  const { end, runs, problems } = await confirmBehind(host)
  expect(end).toMatchObject({ status: 400, heading: 'The form could not be read' })
  expect([runs, problems]).toEqual([[], [READ]])
})
