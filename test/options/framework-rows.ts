import {
  dateAndTime,
  fields,
  healthCheck,
  identify,
  noAuth,
  section,
  serverTiming,
  sidecard,
} from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { serve, toNodeHandler } from 'sidecard/node'
import type { Row } from './row.ts'

const MILLISECONDS = 'an integer from 1 to 2147483647 (milliseconds)'
const timeoutMs = { name: 'timeoutMs', expected: MILLISECONDS, outside: 0 }
const store = memoryStore()
const entries = { store, ttlSeconds: 60 }
const storeTimeoutMs = {
  name: 'storeTimeoutMs',
  expected: 'an integer from 1 to 60000 (milliseconds)',
  outside: 60_001,
}
const app = { header: { title: 'x' }, auth: noAuth(), fetchData: () => [] }
const ctx = { params: {} as never, signal: new AbortController().signal }

/** The functions of the framework, its caches and its Node host. */
export const frameworkRows: readonly Row[] = [
  {
    caller: 'sidecard',
    call: sidecard,
    option: 'timeoutMs',
    typo: 'timeoutMS',
    number: timeoutMs,
    valid: app,
  },
  {
    caller: 'identify',
    call: (options) => identify(ctx, { account_id: () => null }, options),
    option: 'notFound',
    typo: 'notfound',
  },
  {
    caller: 'healthCheck',
    call: healthCheck,
    option: 'timeoutMs',
    typo: 'timeoutMS',
    number: {
      name: 'timeoutMs',
      expected: 'an integer from 1 to 60000 (milliseconds)',
      outside: 60_001,
    },
    valid: { sources: {} },
  },
  { caller: 'serverTiming', call: serverTiming, option: 'always', typo: 'alway' },
  {
    caller: 'sectionCache',
    call: sectionCache,
    option: 'storeTimeoutMs',
    typo: 'storeTimeoutMS',
    number: storeTimeoutMs,
    valid: { ...entries, name: 'one text' },
  },
  {
    caller: 'memoryStore',
    call: memoryStore,
    option: 'maxEntries',
    typo: 'maxEntrys',
    number: { name: 'maxEntries', expected: 'a positive integer', outside: 0 },
  },
  {
    caller: 'serve',
    call: (options) => serve(sidecard(app), options),
    option: 'drainTimeoutMs',
    typo: 'drainTimeoutMS',
    number: {
      name: 'drainTimeoutMs',
      expected: 'an integer from 0 to 2147483647 (milliseconds)',
      outside: -2,
    },
  },
  {
    caller: 'toNodeHandler',
    call: (options) => toNodeHandler(sidecard(app), options),
    option: 'env',
    typo: 'enf',
  },
  {
    caller: 'dateAndTime',
    call: (options) => dateAndTime(new Date(0), options),
    option: 'locale',
    typo: 'local',
  },
  {
    caller: 'fields',
    call: (options) => fields({ Plan: 'Pro' }, options),
    option: 'locale',
    typo: 'local',
  },
  {
    caller: 'section',
    call: (options) => section('Errors', () => [], options),
    option: 'timeoutMs',
    typo: 'timeoutMS',
    number: timeoutMs,
  },
]
