/** Answers to requests by hand stay for those who ask after them (behaviour 19.2). */
import { describe, expect, it } from 'vitest'
import { OperationCache } from '../../../workers/coordinator/operations.ts'

describe('the cache of operations', () => {
  it('answers IN_PROGRESS until the end, then what came of it; nothing about what nobody asked for', () => {
    const cache = new OperationCache()
    cache.begin('a')
    expect(cache.get('a')).toEqual({ status: 'IN_PROGRESS' })
    cache.end('a', { status: 'FAILED', message: 'why' })
    cache.end('never begun', { status: 'FAILED', message: 'why' })
    cache.begin(null)
    expect([cache.get('a'), cache.get('never begun'), cache.size]).toEqual([{ status: 'FAILED', message: 'why' }, null, 1])
  })

  it('keeps the last 300, and lets go of the oldest', () => {
    const cache = new OperationCache()
    for (let i = 1; i <= 302; i++) cache.begin(`trigger ${i}`)
    expect([cache.size, cache.get('trigger 2'), cache.get('trigger 3')]).toEqual([300, null, { status: 'IN_PROGRESS' }])
  })
})
