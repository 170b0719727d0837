import { isArray } from '../internal/hostile-values.ts'
import { hasMethods, invalidOption } from '../internal/read-options.ts'
import { MAX_LAST, nowSeconds, parseReceipt, readFilter, type Receipts } from './receipts.ts'

/** The part of a node-redis client or cluster that `redisReceipts()` uses. */
export interface NodeRedisScripts {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  setEx(key: string, seconds: number, value: string): Promise<unknown>
}

/** The part of an ioredis client or cluster that `redisReceipts()` uses. */
export interface IoredisScripts {
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>
  setex(key: string, seconds: number, value: string): Promise<unknown>
}

/**
 * All receipts are fields of one hash without an expiration, so that Redis loses
 * all of them or none. The field `since` is the time at which the hash was
 * created. If it is missing, all receipts were lost, and older links expire. A
 * field is `<owner> <state> <keepUntilSeconds> <JSON>`, and `intent:<intent>`
 * lists the IDs of its receipts, the newest first.
 */
const KEY = 'sidecard:receipts'

const PRELUDE = `local key, now = KEYS[1], tonumber(ARGV[1])
redis.call('HSETNX', key, 'since', ARGV[2])
local function find(id)
  local value = redis.call('HGET', key, id)
  if not value then return nil end
  local owner, state, keep, json = string.match(value, '^(%S+) (%S+) (%d+) (.*)$')
  if not owner or tonumber(keep) <= now then return nil end
  return { owner = owner, state = state, json = json }
end
local function isOpen(state) return state == 'running' or state == 'unknown' end
`

// A receipt's ID is its intent, a period, and a unique part.
const BEGIN = `local since = tonumber(redis.call('HGET', key, 'since'))
if tonumber(ARGV[3]) < since then return 'expired' end
local id, owner, intent = ARGV[4], ARGV[5], ARGV[6]
local cursor = redis.call('HGET', key, 'cursor') or '0'
local page = redis.call('HSCAN', key, cursor, 'COUNT', 50)
redis.call('HSET', key, 'cursor', page[1])
for index = 1, #page[2], 2 do
  local keep = string.match(page[2][index + 1], '^%S+ %S+ (%d+) ')
  if keep and tonumber(keep) <= now then redis.call('HDEL', key, page[2][index]) end
end
local known = find(id)
if known and known.state ~= 'not_done' then
  if known.owner == owner and known.state == 'running' then return 'begun' end
  return known.json
end
redis.call('HSET', key, id, ARGV[7])
local ids = { id }
for each in string.gmatch(redis.call('HGET', key, 'intent:' .. intent) or '', '%S+') do
  if each ~= id and #ids < ${MAX_LAST} then ids[#ids + 1] = each end
end
redis.call('HSET', key, 'intent:' .. intent, table.concat(ids, ' '))
return 'begun'`

const SETTLE = `local known = find(ARGV[3])
if not known or known.owner ~= ARGV[4] then return 0 end
local state = ARGV[5]
if not isOpen(known.state) and known.state ~= state and state ~= 'done' then return 0 end
redis.call('HSET', key, ARGV[3], ARGV[6])
return 1`

const RELEASE = `local known = find(ARGV[3])
if known and known.owner == ARGV[4] and isOpen(known.state) then redis.call('HDEL', key, ARGV[3]) end
return 0`

const FIND = `local known = find(ARGV[3])
return known and known.json or ''`

const LAST = `local found = {}
local field = 'intent:' .. ARGV[3]
for id in string.gmatch(redis.call('HGET', key, field) or '', '%S+') do
  local known = find(id)
  if known then found[#found + 1] = known.json end
end
if #found == 0 then redis.call('HDEL', key, field) end
return found`

// From index 3, ARGV contains the filter, as pairs of a name and an ID.
const ERASE = `local erased = 0
for _, field in ipairs(redis.call('HKEYS', key)) do
  local known = find(field)
  local matches = known ~= nil
  for index = 3, #ARGV, 2 do
    matches = matches and cjson.decode(known.json)[ARGV[index]] == ARGV[index + 1]
  end
  if matches then erased = erased + redis.call('HDEL', key, field) end
end
return erased`

const SINCE = `return redis.call('HGET', key, 'since')`

/**
 * Stores receipts in Redis, for any number of processes. It takes a connected
 * client of the `redis` or the `ioredis` package, and uses the hash
 * `sidecard:receipts`. Use a Redis that does not evict keys (`noeviction`): if it
 * loses the hash, all older links expire.
 *
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL }).connect()
 * receipts: redisReceipts(redis)
 *
 * @throws {SidecardError} `invalid_options` if the argument is not a Redis client
 * @see docs/guides/actions.md#receipts
 */
export function redisReceipts(client: NodeRedisScripts | IoredisScripts): Receipts {
  if (!hasMethods(client, 'eval', 'setEx') && !hasMethods(client, 'eval', 'setex')) {
    const expected = 'a client of the redis or the ioredis package'
    throw invalidOption('redisReceipts', 'the argument', expected, client)
  }
  const run = (script: string, ...values: (string | number)[]): Promise<unknown> => {
    const texts = [nowSeconds(), Date.now(), ...values].map(String)
    return 'setEx' in client
      ? client.eval(PRELUDE + script, { keys: [KEY], arguments: texts })
      : client.eval(PRELUDE + script, 1, KEY, ...texts)
  }
  // Store the time from which links are valid now, not when the first page is opened.
  run(SINCE).catch(() => undefined)
  return {
    since: async () => Number(await run(SINCE)),
    async begin(receipt) {
      const { id, intent, owner, linkIssuedAtMs } = receipt
      const result = await run(BEGIN, linkIssuedAtMs, id, owner, intent, toField(receipt))
      return result === 'begun' || result === 'expired' ? result : parseReceipt(result)
    },
    async settle(receipt) {
      const { id, owner, state } = receipt
      return (await run(SETTLE, id, owner, state, toField(receipt))) === 1
    },
    release: (id, owner) => run(RELEASE, id, owner),
    async find(id) {
      const json = await run(FIND, id)
      return json === '' ? undefined : parseReceipt(json)
    },
    async last(intent) {
      const found = await run(LAST, intent)
      if (!isArray(found)) throw new TypeError('Redis returned no list.')
      return found.map(parseReceipt)
    },
    async erase(filter) {
      const ids = readFilter(filter)
      if (ids.length === 0) return 0
      const erased = await run(ERASE, ...ids.flat())
      if (typeof erased !== 'number') throw new TypeError('Redis returned no number.')
      return erased
    },
  }
}

function toField(receipt: Parameters<Receipts['begin']>[0]): string {
  const { owner, state, keepUntilSeconds } = receipt
  return `${owner} ${state} ${keepUntilSeconds} ${JSON.stringify(receipt)}`
}
