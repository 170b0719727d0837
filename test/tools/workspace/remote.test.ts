import { expect, test } from 'vitest'
import { remote } from '../../../src/tools/workspace/core/remote.ts'

/** A value whose responses arrive when the test says so. */
function create() {
  const pending: PromiseWithResolvers<string>[] = []
  const value = remote(() => {
    const request = Promise.withResolvers<string>()
    pending.push(request)
    return request.promise
  })
  return { value, pending }
}

test('the response of an earlier request never replaces that of a later one', async () => {
  const { value, pending } = create()
  const loads = [value.load(), value.load()]
  pending[1]!.resolve('later')
  await loads[1]
  pending[0]!.resolve('earlier')
  await loads[0]
  expect(value.data.value).toBe('later')
  expect(value.isLoading.value).toBe(false)
})

test('the failure of an earlier request is not shown while a later one is pending', async () => {
  const { value, pending } = create()
  const loads = [value.load(), value.load()]
  pending[0]!.reject(new Error('gone'))
  await loads[0]
  expect([value.error.value, value.isLoading.value]).toEqual([null, true])
})

test('a failure keeps the last value, and the next response removes the error', async () => {
  const { value, pending } = create()
  const first = value.load()
  pending[0]!.resolve('first')
  await first
  const second = value.load()
  pending[1]!.reject(new Error('gone'))
  await second
  expect(value.data.value).toBe('first')
  expect(value.error.value).toContain('went wrong')
  const third = value.load()
  pending[2]!.resolve('third')
  await third
  expect([value.data.value, value.error.value]).toEqual(['third', null])
})
