import { hasMethods, invalidOption } from '../internal/read-options.ts'
import { type Claims, type ClaimState, nowSeconds } from './claims.ts'

/** The part of a node-redis client or cluster that `redisClaims()` uses. */
export interface NodeRedisScripts {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  setEx(key: string, seconds: number, value: string): Promise<unknown>
}

/** The part of an ioredis client or cluster that `redisClaims()` uses. */
export interface IoredisScripts {
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>
  setex(key: string, seconds: number, value: string): Promise<unknown>
}

// A value is the owner, the state and the time, separated by spaces.

/** Stores a claim unless there is one. Returns the stored one. */
const CLAIM = `local value = redis.call('GET', KEYS[1])
if value then return value end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return ARGV[1]`

/** Replaces a claim of the owner, and keeps its expiration. */
const SETTLE = `local value = redis.call('GET', KEYS[1])
if value and string.sub(value, 1, #ARGV[1] + 1) == ARGV[1] .. ' ' then
  local ttl = redis.call('PTTL', KEYS[1])
  if ttl > 0 then redis.call('SET', KEYS[1], ARGV[2], 'PX', ttl) end
end
return ''`

const RELEASE = `local value = redis.call('GET', KEYS[1])
if value and string.sub(value, 1, #ARGV[1] + 1) == ARGV[1] .. ' ' then redis.call('DEL', KEYS[1]) end
return ''`

const FIND = `return redis.call('GET', KEYS[1]) or ''`

/**
 * Remembers claims in Redis, for any number of processes. It takes a connected
 * client of the `redis` or the `ioredis` package. The keys start with
 * `sidecard:claim:`, and expire on their own.
 *
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL }).connect()
 * claims: redisClaims(redis)
 *
 * @throws {SidecardError} `invalid_options` if the argument is not a Redis client
 * @see docs/guides/actions.md#claims
 */
export function redisClaims(client: NodeRedisScripts | IoredisScripts): Claims {
  if (!hasMethods(client, 'eval', 'setEx') && !hasMethods(client, 'eval', 'setex')) {
    const expected = 'a client of the redis or the ioredis package'
    throw invalidOption('redisClaims', 'the argument', expected, client)
  }
  const run = (script: string, id: string, ...values: string[]): Promise<unknown> => {
    const key = `sidecard:claim:${id}`
    return 'setEx' in client
      ? client.eval(script, { keys: [key], arguments: values })
      : client.eval(script, 1, key, ...values)
  }

  return {
    async claim(id, owner, untilSeconds) {
      const now = nowSeconds()
      const seconds = Math.max(1, Math.ceil(untilSeconds - now))
      const stored = await run(CLAIM, id, `${owner} running ${now}`, String(seconds))
      const value = parse(stored)
      if (value === undefined) throw new TypeError('Redis returned an invalid claim.')
      const { owner: first, ...state } = value
      return first === owner && state.state === 'running' ? 'claimed' : state
    },
    settle: (id, owner, state) => run(SETTLE, id, owner, `${owner} ${state} ${nowSeconds()}`),
    release: (id, owner) => run(RELEASE, id, owner),
    async find(id) {
      const { state, atSeconds } = parse(await run(FIND, id)) ?? {}
      return state === undefined || atSeconds === undefined ? undefined : { state, atSeconds }
    },
  }
}

function parse(value: unknown): ({ readonly owner: string } & ClaimState) | undefined {
  const [, owner, state, seconds] = /^(\S+) (running|done|unknown) (\d+)$/.exec(String(value)) ?? []
  if (owner === undefined) return undefined
  return { owner, state: state as ClaimState['state'], atSeconds: Number(seconds) }
}
