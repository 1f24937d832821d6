/** Completion notices are sent once, and nobody waits for an answer: what a sink does where one is lost, or overtaken (behaviour 3.3, 7.3). */
import { describe, expect, it } from 'vitest'
import { must } from '../../workers/base/assert.ts'
import type { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import { SimulatorView } from '../../workers/hosts/simulator/simulator-view.ts'
import { C, SECOND, all, checkpoint, countJob, start } from './checkpoint-storage/storage-jobs.ts'

const TOLERANT = { [`${C}dir`]: '/checkpoints', [`${C}tolerable-failed-checkpoints`]: 100, [`${C}timeout`]: '2 s', [`${C}max-concurrent-checkpoints`]: 2 }

const vertexOf = (simulator: Simulator, uid: string) => must(simulator.graph.vertices.find(({ chain }) => chain[0]?.uid === uid), uid).id
/** Checkpoints of which the sink has heard that they are complete, in order. */
const heard = (simulator: Simulator): readonly number[] =>
  all(simulator, 'CheckpointCompleteNotified').flatMap(({ vertex, checkpointId }) => (vertex === vertexOf(simulator, 'out') ? [checkpointId] : []))
const committed = (simulator: Simulator): number => all(simulator, 'TransactionCommitted').length

/** Checkpoint 1 has completed, and the sink has not heard of it. */
function withLostNotice(): Simulator {
  const simulator = start(countJob(TOLERANT))
  simulator.inject({ kind: 'lose-completion-notice', checkpoint: 1, uid: 'out' })
  simulator.runTo(SECOND)
  expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted', checkpointId: 1 })
  simulator.runTo(simulator.now + SECOND)
  return simulator
}

function expectExactlyOnce(simulator: Simulator): void {
  simulator.runTo(simulator.now + 10 * SECOND)
  expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted' })
  simulator.runTo(simulator.now + SECOND)
  expect(new SimulatorView(simulator).exactlyOnce()).toBeNull()
  expect(simulator.watch.first).toBeNull()
}

describe('a completion notice is lost', () => {
  it('the sink keeps what it has pre-committed, until an abort notice tells of the completed checkpoint', () => {
    const simulator = withLostNotice()
    expect([heard(simulator), committed(simulator)]).toEqual([[], 0])
    simulator.inject({ kind: 'delay-acks', checkpoint: 2, uid: 'count', for: '5 s' })
    expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointAborted', checkpointId: 2, reason: 'CHECKPOINT_EXPIRED' })
    simulator.runTo(simulator.now + SECOND)
    expect([heard(simulator), committed(simulator)]).toEqual([[1], 1])
    expectExactlyOnce(simulator)
  })

  it('or until the next completion, which commits both', () => {
    const simulator = withLostNotice()
    expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted', checkpointId: 2 })
    simulator.runTo(simulator.now + SECOND)
    expect([heard(simulator), committed(simulator)]).toEqual([[2], 2])
    expectExactlyOnce(simulator)
  })

  it('or until it is restored', () => {
    const simulator = withLostNotice()
    simulator.inject({ kind: 'kill-subtask', uid: 'out', subtask: 0 })
    simulator.runTo(simulator.now + 2 * SECOND)
    expect([heard(simulator), committed(simulator)]).toEqual([[], 1])
    expectExactlyOnce(simulator)
  })
})

describe('a completion notice is overtaken', () => {
  it('by the abort of the older checkpoint that its own has subsumed: heard of once', () => {
    const simulator = start(countJob(TOLERANT))
    simulator.runTo(SECOND)
    simulator.inject({ kind: 'delay-acks', checkpoint: 1, uid: 'count', for: '1 s' })
    simulator.triggerCheckpoint()
    simulator.runTo(simulator.now + SECOND / 2)
    expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted', checkpointId: 2 })
    simulator.runTo(simulator.now + SECOND)
    expect(all(simulator, 'CheckpointAborted')).toMatchObject([{ checkpointId: 1, reason: 'CHECKPOINT_SUBSUMED' }])
    expect([heard(simulator), committed(simulator)]).toEqual([[2], 2])
    expectExactlyOnce(simulator)
  })
})
