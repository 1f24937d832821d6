import { describe, expect, test } from 'vitest'
import { awaitOperation, requestId } from '../../../src/cluster/savepoint-operation.ts'
import type { RestAnswerJson } from '../../../workers/hosts/browser/requests.ts'

const answering = (...answers: RestAnswerJson[]) => {
  const asked: string[] = []
  return {
    asked,
    rest: async ({ path }: { readonly path: string }): Promise<RestAnswerJson> => {
      asked.push(path)
      return answers[asked.length - 1] ?? { status: 500, body: null }
    },
  }
}
const busy = { status: 200, body: { status: { id: 'IN_PROGRESS' }, operation: null } }
const done = (operation: unknown): RestAnswerJson => ({ status: 200, body: { status: { id: 'COMPLETED' }, operation } })

describe('an asynchronous request of the REST API', () => {
  test('is asked after until it is complete, and ends with its location', async () => {
    const { rest, asked } = answering(busy, busy, done({ location: '/savepoints/s' }))
    expect(await awaitOperation('/jobs/1/savepoints/2', rest)).toBe('/savepoints/s')
    expect(asked).toEqual(['/jobs/1/savepoints/2', '/jobs/1/savepoints/2', '/jobs/1/savepoints/2'])
  })

  test('rejects with the failure cause, in the words of the JobManager', async () => {
    const cause = { class: 'x.CheckpointException', 'stack-trace': 'Checkpoint expired before completing.' }
    await expect(awaitOperation('/p', answering(done({ 'failure-cause': cause })).rest)).rejects.toThrow('Checkpoint expired before completing.')
    await expect(awaitOperation('/p', answering(done({ failureCause: cause })).rest)).rejects.toThrow('Checkpoint expired')
  })

  test('rejects when nobody knows of it any more', async () => {
    await expect(awaitOperation('/p', answering(busy, { status: 404, body: { errors: ['There is no savepoint operation'] } }).rest)).rejects.toThrow('404: There is no savepoint operation')
  })

  test('one without a location ends with null', async () => {
    expect(await awaitOperation('/savepoint-disposal/1', answering(done({})).rest)).toBeNull()
  })

  test('the id of what was accepted; the refusal of what was not', () => {
    expect(requestId({ status: 202, body: { 'request-id': 'ab' } })).toBe('ab')
    expect(() => requestId({ status: 400, body: { errors: ['formatType: unknown', 'x'] } })).toThrow('400: formatType: unknown; x')
  })
})
