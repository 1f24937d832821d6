/** Who owns the snapshot that a job was started from (behaviour 5.4). */
import { describe, expect, it } from 'vitest'
import { must } from '../../../workers/base/assert.ts'
import type { Simulator } from '../../../workers/hosts/simulator/simulator.ts'
import type { ClaimMode } from '../../../workers/model/restore.ts'
import { cancel, checkpoint, committed, readAll, restoreFrom, savepoint, SECOND, start, until, untilRunning, wordJob } from './restore-runs.ts'

type Kind = 'CANONICAL' | 'NATIVE' | 'checkpoint'

const KINDS: readonly Kind[] = ['CANONICAL', 'NATIVE', 'checkpoint']
const MODES: readonly ClaimMode[] = ['NO_CLAIM', 'CLAIM', 'LEGACY']
const EVERY = KINDS.flatMap((kind) => MODES.map((mode) => [kind, mode] as const))
/** Every state is a file of its own. */
const FILES = { 'execution.checkpointing.data-inline-threshold': '0 b' }

function restored(kind: Kind, mode: ClaimMode, config = {}): { readonly simulator: Simulator; readonly path: string } {
  const document = wordJob({ config: { ...FILES, ...config } })
  const simulator = start(document)
  untilRunning(simulator)
  simulator.runTo(simulator.now + SECOND)
  const path = kind === 'checkpoint' ? checkpoint(simulator) : savepoint(simulator, kind)
  cancel(simulator)
  simulator.submitNext({ restore: restoreFrom(path, mode) })
  untilRunning(simulator)
  return { simulator, path }
}

const typeOfLast = (simulator: Simulator): string => must(simulator.cluster.leader?.machine.job?.coordinator.statistics.latestCompleted, 'a completed checkpoint').type
const restores = (simulator: Simulator): readonly string[] => simulator.events.flatMap(({ body }) => (body.type === 'CheckpointRestored' ? [body.externalPath] : []))

describe.each(EVERY)('%s, %s', (kind, mode) => {
  it('files: deleted when subsumed if claimed, else never touched', () => {
    const { simulator, path } = restored(kind, mode)
    const files = simulator.files(`${path}/`)
    expect(files.length).toBeGreaterThan(1)
    checkpoint(simulator)
    simulator.runTo(simulator.now + SECOND)
    expect(simulator.files(`${path}/`)).toEqual(mode === 'CLAIM' ? [] : files)
    checkpoint(simulator)
    simulator.runTo(simulator.now + SECOND)
    expect(simulator.files(`${path}/`)).toEqual(mode === 'CLAIM' ? [] : files)
    expect(simulator.watch.first).toBeNull()
  })

  it('the first checkpoint is a full one with NO_CLAIM alone', () => {
    const { simulator } = restored(kind, mode)
    checkpoint(simulator)
    expect(typeOfLast(simulator)).toBe(mode === 'NO_CLAIM' ? 'FULL_CHECKPOINT' : 'CHECKPOINT')
    checkpoint(simulator)
    expect(typeOfLast(simulator)).toBe('CHECKPOINT')
  })

  it('a failure before the first checkpoint goes back to it, one behind it does not', () => {
    const { simulator, path } = restored(kind, mode)
    simulator.runTo(simulator.now + SECOND / 2)
    simulator.inject({ kind: 'kill-subtask', uid: 'count', subtask: 0 })
    simulator.runTo(simulator.now + SECOND)
    untilRunning(simulator)
    expect(restores(simulator)).toEqual([path, path])
    const own = checkpoint(simulator)
    simulator.inject({ kind: 'kill-subtask', uid: 'count', subtask: 0 })
    simulator.runTo(simulator.now + SECOND)
    untilRunning(simulator)
    expect(restores(simulator).at(-1)).toBe(own)
    readAll(simulator)
    expect(committed(simulator)).toHaveLength(400)
    expect(simulator.watch.first).toBeNull()
  })

  it('a JobManager that takes over before the first checkpoint restores from it, and goes on with the mode', () => {
    const { simulator, path } = restored(kind, mode)
    const files = simulator.files(`${path}/`)
    simulator.inject({ kind: 'kill-job-manager' })
    simulator.runTo(simulator.now + SECOND)
    untilRunning(simulator)
    expect(restores(simulator).at(-1)).toBe(path)
    checkpoint(simulator)
    expect(typeOfLast(simulator)).toBe(mode === 'NO_CLAIM' ? 'FULL_CHECKPOINT' : 'CHECKPOINT')
    checkpoint(simulator)
    simulator.runTo(simulator.now + SECOND)
    expect(simulator.files(`${path}/`)).toEqual(mode === 'CLAIM' ? [] : files)
    readAll(simulator)
    expect(committed(simulator)).toHaveLength(400)
    expect(simulator.watch.first).toBeNull()
  })
})

describe('a restored snapshot in the store (behaviour 5.2)', () => {
  it('counts to num-retained: with two retained it is there beside the first checkpoint', () => {
    const { simulator, path } = restored('checkpoint', 'CLAIM', { 'execution.checkpointing.num-retained': 2 })
    checkpoint(simulator)
    simulator.runTo(simulator.now + SECOND)
    expect(simulator.files(`${path}/`).length).toBeGreaterThan(1)
    checkpoint(simulator)
    simulator.runTo(simulator.now + SECOND)
    expect(simulator.files(`${path}/`)).toEqual([])
  })

  it('deleted by hand: before the first checkpoint the job cannot recover, behind it it can', () => {
    const remove = (simulator: Simulator, path: string): void =>
      void simulator.cluster.storage.files.execute({ type: 'delete-below', directory: path, keep: [] }, null)
    const early = restored('CANONICAL', 'NO_CLAIM')
    remove(early.simulator, early.path)
    early.simulator.inject({ kind: 'kill-subtask', uid: 'count', subtask: 0 })
    expect(until(early.simulator, 'FAILED')).toMatch(/Could not restore from .*savepoint/)

    const late = restored('CANONICAL', 'NO_CLAIM')
    checkpoint(late.simulator)
    remove(late.simulator, late.path)
    late.simulator.inject({ kind: 'kill-subtask', uid: 'count', subtask: 0 })
    late.simulator.runTo(late.simulator.now + SECOND)
    untilRunning(late.simulator)
    readAll(late.simulator)
    expect(committed(late.simulator)).toHaveLength(400)
  })
})
