import { describe, expect, it } from 'vitest'
import { encodeUtf8 } from '../../../workers/base/utf8.ts'
import { operatorIdOfUid } from '../../../workers/model/operator-id-of-uid.ts'

describe('the operator id of a uid', () => {
  it.each([
    ['hello', '029bbd41b3a7d8cb191dae486a901e5b'],
    ['counter', '0da08f51eaa85fc298e176a139b3649a'],
    ['source', 'e5a72f353fc1e6bbf3bd96a41384998c'],
    ['my-uid', '8409efe6adc6d20787611f16017c808f'],
    ['CheckpointingSource2', '1f2b5df5a66154aca61fcb26193792be'],
    ['keyed-state-process-uid', '928f3b38bde6af749ed4cb45aa1237db'],
  ])('of %s is what Flink derives', (uid, id) => {
    expect(operatorIdOfUid(uid)).toBe(id)
  })

  it('differs for uids of every length around a block', () => {
    const ids = Array.from({ length: 40 }, (_, length) => operatorIdOfUid('x'.repeat(length)))
    expect(new Set(ids).size).toBe(40)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('UTF-8', () => {
  it.each(['', 'plain', 'grüße', '✓ — €', '😀 and 𝄞', 'a\ud800b', '\udc00', 'x\ud83d'])('of %j is what the platform writes', (text) => {
    expect(encodeUtf8(text)).toEqual(new TextEncoder().encode(text))
  })
})
