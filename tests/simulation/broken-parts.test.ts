/** Parts that keep their word at the wrong moment: the checkers must catch each of them, and by what it breaks. */
import { describe, expect, it } from 'vitest'
import { planOf, simulatorOf } from '../../workers/hosts/simulator/random/random-run.ts'
import type { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import type { OperatorDescription } from '../../workers/model/job-graph.ts'
import { createOperator } from '../../workers/operators/create-operator.ts'
import type { Operator } from '../../workers/operators/operator.ts'
import { TwoPhaseCommitSinkOperator } from '../../workers/operators/sinks/two-phase-commit-sink.ts'
import type { Compile } from '../../workers/operators/user-function.ts'
import { simulatorFor } from './simulator-for.ts'
import type { MemoryFiles } from '../../workers/storage/memory-files.ts'

const SEEDS = Array.from({ length: 30 }, (_, i) => i + 1)
const UNTIL = 200_000

function violations(run: (seed: number) => Simulator): Set<string> {
  const found = new Set<string>()
  for (const seed of SEEDS) {
    const simulator = run(seed)
    simulator.runUntil(() => simulator.watch.first !== null, UNTIL)
    if (simulator.watch.first !== null) found.add(simulator.watch.first.invariant)
  }
  return found
}

type Execute = MemoryFiles['execute']

/** Says that a task's files are stored, and stores them later: the task acknowledges before its upload is there. */
function storesLate(simulator: Simulator): Simulator {
  const { files } = simulator.cluster.storage
  const execute: Execute = files.execute.bind(files)
  const late: (() => void)[] = []
  files.execute = (op, fence) => {
    if (op.type !== 'transact' || op.writes.length === 0 || op.writes.some(({ path }) => !/chk-\d+\/[0-9a-f-]{36}$/.test(path))) return execute(op, fence)
    late.push(() => void execute(op, fence))
    if (late.length > 8) late.shift()?.()
    return { ok: true }
  }
  return simulator
}

/** Commits when it pre-commits, and not when the checkpoint is complete. */
class CommitsEarly extends TwoPhaseCommitSinkOperator {
  override snapshotState(checkpointId: number): void {
    super.snapshotState(checkpointId)
    super.notifyCheckpointComplete(checkpointId)
  }
}

const createsEarlySinks = (description: OperatorDescription, compile: Compile): Operator =>
  description.type === 'two-phase-commit' ? new CommitsEarly(description) : createOperator(description, compile)

function withEarlySinks(seed: number): Simulator {
  const { document, latencies, faults } = planOf(seed, { kind: 'aligned' })
  return simulatorFor(document, { seed, latencies, faults, createOperator: createsEarlySinks })
}

describe('a checker finds', () => {
  it('a task that acknowledges before the upload: files of a completed checkpoint are not there', () => {
    expect(violations((seed) => storesLate(simulatorOf(seed)))).toContain('checkpoint-files')
  })

  it('a sink that commits before completion', () => {
    expect(violations(withEarlySinks)).toContain('transactions')
  })

  it('nothing where nothing is broken', () => {
    expect(violations((seed) => simulatorOf(seed))).toEqual(new Set())
  })
})
