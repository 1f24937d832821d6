import { describe, expect, it } from 'vitest'
import { cancel, checkpoint, committed, readAll, restoreFrom, savepoint, SECOND, start, stateOf, until, untilRunning, wordJob } from './restore-runs.ts'

describe.each(['CANONICAL', 'NATIVE'] as const)('a job is started from a %s savepoint', (format) => {
  it.each([[2, 2], [2, 3], [3, 1], [1, 4]])('at parallelism %i, restored at %i: state and committed output as if nothing had been', (p, q) => {
    const straight = start(wordJob({ parallelism: p }))
    untilRunning(straight)
    readAll(straight)

    const simulator = start(wordJob({ parallelism: p }))
    untilRunning(simulator)
    simulator.runTo(simulator.now + SECOND)
    const path = savepoint(simulator, format)
    const before = stateOf(simulator)
    cancel(simulator)
    const job = simulator.submitNext({ document: wordJob({ parallelism: q }), restore: restoreFrom(path) })
    untilRunning(simulator)
    expect(Object.keys(stateOf(simulator)).length).toBeGreaterThanOrEqual(Object.keys(before).length - 1)
    readAll(simulator)
    expect(stateOf(simulator)).toEqual(stateOf(straight))
    expect(committed(simulator)).toEqual(committed(straight))
    expect(simulator.rest({ path: `/jobs/${job}/checkpoints` }).body).toMatchObject({
      counts: { restored: 1 },
      latest: { restored: { id: 1, is_savepoint: true, external_path: path } },
    })
    expect(simulator.watch.first).toBeNull()
  })
})

describe('a job is started from a retained checkpoint', () => {
  it('ids go on behind it, and it is no savepoint', () => {
    const simulator = start(wordJob())
    untilRunning(simulator)
    simulator.runTo(simulator.now + SECOND)
    checkpoint(simulator)
    const path = checkpoint(simulator)
    cancel(simulator)
    const job = simulator.submitNext({ restore: restoreFrom(path) })
    untilRunning(simulator)
    expect(checkpoint(simulator)).toBe(`/checkpoints/${job}/chk-3`)
    expect(simulator.rest({ path: `/jobs/${job}/checkpoints` }).body).toMatchObject({ latest: { restored: { id: 2, is_savepoint: false } } })
    readAll(simulator)
    expect(committed(simulator)).toHaveLength(400)
    expect(simulator.watch.first).toBeNull()
  })
})

describe('the pointer (behaviour 10.5)', () => {
  const failing = (path: (real: string) => string, allow = false): string => {
    const simulator = start(wordJob({ rows: 40 }))
    untilRunning(simulator)
    const real = savepoint(simulator)
    cancel(simulator)
    const files = simulator.files()
    simulator.submitNext({ restore: restoreFrom(path(real), 'CLAIM', allow) })
    const cause = until(simulator, 'FAILED')
    simulator.runTo(simulator.now + SECOND)
    expect(simulator.files()).toEqual(files)
    return cause
  }

  it.each([
    ['the directory', (path: string) => path],
    ['with a slash behind', (path: string) => `${path}/`],
    ['its metadata file', (path: string) => `${path}/_metadata`],
    ['as a URI', (path: string) => `file://${path}`],
  ])('%s is found', (_, pointer) => {
    const simulator = start(wordJob({ rows: 40 }))
    untilRunning(simulator)
    const path = savepoint(simulator)
    cancel(simulator)
    simulator.submitNext({ restore: restoreFrom(pointer(path)) })
    untilRunning(simulator)
  })

  it('what is not there, or has no metadata, fails the job at its initialisation with Flink’s sentence', () => {
    expect(failing(() => 's3://nowhere/x')).toBe("Cannot find checkpoint or savepoint file/directory 's3://nowhere/x' on file system 's3'.")
    expect(failing(() => '/savepoints')).toMatch(/^Cannot find meta data file '_metadata' in directory '\/savepoints'\. Please try to load/)
    expect(failing(() => 'relative')).toMatch(/is not an absolute path/)
  })

  it('the options of the job name a snapshot where its start names none', () => {
    const simulator = start(wordJob({ rows: 40 }))
    untilRunning(simulator)
    simulator.runTo(simulator.now + SECOND)
    const path = savepoint(simulator)
    cancel(simulator)
    const job = simulator.submitNext({ document: wordJob({ rows: 40, config: { 'execution.savepoint.path': path, 'execution.state-recovery.claim-mode': 'CLAIM' } }) })
    untilRunning(simulator)
    expect(simulator.restore).toEqual({ path, allowNonRestoredState: false, claimMode: 'CLAIM' })
    expect(simulator.rest({ path: `/jobs/${job}/checkpoints` }).body).toMatchObject({ counts: { restored: 1 } })
  })
})

describe('a JobManager that dies while it reads the snapshot', () => {
  it.each([1, 2, 3, 4, 5, 6])('leaves nothing behind: the job is submitted to the next one, seed %i', (seed) => {
    const simulator = start(wordJob(), seed)
    untilRunning(simulator)
    simulator.runTo(simulator.now + SECOND)
    const path = savepoint(simulator)
    cancel(simulator)
    simulator.submitNext({ restore: restoreFrom(path) })
    simulator.runUntilEvent(({ body }) => body.type === 'JobSubmitted', simulator.now + SECOND)
    simulator.runTo(simulator.now + seed * 150)
    simulator.inject({ kind: 'kill-job-manager' })
    simulator.runTo(simulator.now + SECOND)
    untilRunning(simulator)
    expect(simulator.events.filter(({ body }) => body.type === 'CheckpointRestored').at(-1)?.body).toMatchObject({ externalPath: path })
    readAll(simulator)
    expect(committed(simulator)).toHaveLength(400)
    expect(simulator.watch.first).toBeNull()
  })
})
