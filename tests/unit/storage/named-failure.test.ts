import { describe, expect, it } from 'vitest'
import { namedFailure } from '../../../workers/storage/idb-connection.ts'

const NAMES = ['QuotaExceededError', 'VersionError', 'AbortError', 'TransactionInactiveError', 'SecurityError', 'UnknownError', 'DataError']

describe('a failure of IndexedDB is told as part of a sentence', () => {
  it.each(NAMES)('%s: a browser that gives no detail leaves no colon behind, a full stop of its own is not doubled', (name) => {
    const bare = namedFailure(new DOMException('', name))
    expect(bare.message).toMatch(/[a-z)]$/)
    const detailed = namedFailure(new DOMException('The disk is full.', name))
    expect(detailed).toEqual({ reason: bare.reason, message: `${bare.message}: The disk is full` })
  })

  it('has a name of ours for each', () => {
    expect(NAMES.map((name) => namedFailure(new DOMException('', name)).reason)).toEqual([
      'QUOTA_EXCEEDED', 'NEWER_VERSION', 'ABORTED', 'ABORTED', 'UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE',
    ])
  })
})
