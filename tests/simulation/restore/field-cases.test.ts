/** Public field cases of restoring: union lists, lists after scaling, sink state that is left behind, uneven key groups. */
import { describe, expect, it } from 'vitest'
import { must } from '../../../workers/base/assert.ts'
import { compileOrThrow } from '../../../workers/hosts/simulator/engine-parts.ts'
import type { Simulator } from '../../../workers/hosts/simulator/simulator.ts'
import { restoreVerdict } from '../../../workers/jobmaster/restore-verdict.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { OperatorDescription } from '../../../workers/model/job-graph.ts'
import type { Value } from '../../../workers/model/schema.ts'
import { createOperator } from '../../../workers/operators/create-operator.ts'
import { ProcessingBase } from '../../../workers/operators/operator-base.ts'
import type { OperatorContext, ProcessingOperator, SourceOperator } from '../../../workers/operators/operator.ts'
import type { Compile } from '../../../workers/operators/user-function.ts'
import { simulatorFor } from '../simulator-for.ts'
import { readSavepoint } from '../../../workers/savepoint/savepoint-reader.ts'
import { runPlan } from '../../../workers/savepoint/read-plan.ts'
import { keyGroupRange } from '../../../workers/state/key-groups.ts'
import { cancel, checkpoint, committed, restoreFrom, savepoint, SECOND, start, untilRunning, withOperators, wordJob } from './restore-runs.ts'

/** What each subtask was handed when it was opened, restored or not. */
const handed: { readonly subtask: number; readonly restored: boolean; readonly elements: readonly number[] }[] = []

/** Holds its own element; its name tells the mode, and whether it snapshots all that it was handed or its own alone: "UNION all". */
class Holder extends ProcessingBase implements ProcessingOperator {
  private readonly mode: 'SPLIT_DISTRIBUTE' | 'UNION'
  private readonly keepsAll: boolean
  private elements: Uint8Array[] = []

  constructor({ name }: OperatorDescription) {
    super()
    this.mode = name.startsWith('UNION') ? 'UNION' : 'SPLIT_DISTRIBUTE'
    this.keepsAll = name.endsWith('all')
  }

  override open(context: OperatorContext, restored: number | null): void {
    super.open(context, restored)
    const given = [...context.operatorState.listState('held', this.mode).get()]
    handed.push({ subtask: context.subtask, restored: restored !== null, elements: given.map((bytes) => bytes[0] ?? -1) })
    const own = Uint8Array.of(context.subtask)
    this.elements = this.keepsAll && restored !== null ? given : [own]
  }

  processElement(_input: number, value: Value, timestamp: number): void {
    this.ctx.emit(value, timestamp)
  }

  override snapshotState(): void {
    this.ctx.operatorState.listState('held', this.mode).update(this.elements)
  }
}

const create = (description: OperatorDescription, compile: Compile): ProcessingOperator | SourceOperator =>
  description.uid === 'holder' ? new Holder(description) : createOperator(description, compile)

function holderJob(name: string, parallelism: number): JobDocument {
  const base = wordJob({ rows: 2000, rate: 10 })
  return {
    ...base,
    operators: [...base.operators.map((one) => (one.uid === 'source' ? { ...one, parallelism: 1 } : one)), { uid: 'holder', type: 'map', name, parallelism, params: { function: 'identity' } }],
    edges: [{ from: 'source', to: 'holder', ship: 'rebalance' }, { from: 'holder', to: 'count', ship: 'hash', by: ['word'] }, { from: 'count', to: 'out', ship: 'rebalance' }],
  }
}

function startHolder(name: string, parallelism: number): Simulator {
  handed.length = 0
  const document = holderJob(name, parallelism)
  const simulator = simulatorFor(document, { seed: 1, createOperator: create })
  untilRunning(simulator)
  return simulator
}

const bytesOf = (simulator: Simulator, path: string): Uint8Array => {
  const read = simulator.cluster.storage.files.execute({ type: 'read', path }, null)
  return must(read.ok ? read.bytes : undefined, path)
}
const elementsIn = (simulator: Simulator, path: string): number =>
  must(readSavepoint(bytesOf(simulator, `${path}/_metadata`)).operators.find(({ uid }) => uid === 'holder'), 'holder').subtasks
    .flatMap(({ managedOperator }) => managedOperator?.states ?? [])
    .reduce((sum, { offsets }) => sum + offsets.length, 0)

/** By subtask: what was handed to it last. */
const lastHanded = (): readonly (readonly number[])[] => {
  const bySubtask = new Map(handed.map(({ subtask, elements }) => [subtask, elements] as const))
  return [...bySubtask].sort(([a], [b]) => a - b).map(([, elements]) => elements)
}

describe('FC-034: union list state multiplies on each restore', () => {
  it.each([['UNION all', [4, 16, 64]], ['UNION own', [4, 4, 4]]] as const)('%s: %j elements', (name, expected) => {
    const simulator = startHolder(name, 4)
    const counts: number[] = []
    for (const count of expected) {
      counts.push(elementsIn(simulator, checkpoint(simulator)))
      simulator.inject({ kind: 'kill-subtask', uid: 'holder', subtask: 0 })
      simulator.runTo(simulator.now + SECOND)
      untilRunning(simulator)
      expect(lastHanded().map((elements) => elements.length)).toEqual([count, count, count, count])
    }
    expect(counts).toEqual(expected)
  })
})

describe('FC-052: new subtasks after scale-up get an empty list', () => {
  it.each([
    ['LIST own', 4, [[0], [1], [], []]],
    ['LIST own', 1, [[0, 1]]],
    ['UNION own', 4, [[0, 1], [0, 1], [0, 1], [0, 1]]],
    ['UNION own', 1, [[0, 1]]],
  ] as const)('%s, from 2 subtasks to %i: %j; every one is told that it was restored', (name, parallelism, expected) => {
    const simulator = startHolder(name, 2)
    const path = savepoint(simulator)
    cancel(simulator)
    handed.length = 0
    simulator.submitNext({ document: holderJob(name, parallelism), restore: restoreFrom(path) })
    untilRunning(simulator)
    expect(lastHanded()).toEqual(expected)
    expect(handed.every(({ restored }) => restored)).toBe(true)
  })
})

describe('FC-050: dropping sink state loses committed-to-be data', () => {
  const other = (document: JobDocument): JobDocument => ({
    ...withOperators(document, (one) => (one.uid === 'out' ? { ...one, uid: 'other' } : one)),
    edges: (document.edges ?? []).map((edge) => (edge.to === 'out' ? { ...edge, to: 'other' } : edge)),
  })
  const document = wordJob({ rows: 200, rate: 100, parallelism: 1 })

  /** Stopped behind a savepoint, which has pre-committed rows and committed none. */
  function stopped(): { readonly simulator: Simulator; readonly path: string } {
    const simulator = start(document)
    untilRunning(simulator)
    simulator.runTo(simulator.now + SECOND)
    const path = savepoint(simulator)
    cancel(simulator)
    expect(committed(simulator)).toEqual([])
    return { simulator, path }
  }
  const finish = (simulator: Simulator): void => {
    untilRunning(simulator)
    simulator.runTo(simulator.now + 10 * SECOND)
    checkpoint(simulator)
    simulator.runTo(simulator.now + SECOND)
  }

  it('the same uid: what waited for its commit is committed by the restore', () => {
    const { simulator, path } = stopped()
    simulator.submitNext({ restore: restoreFrom(path) })
    untilRunning(simulator)
    expect(committed(simulator).length).toBeGreaterThan(50)
    finish(simulator)
    expect(committed(simulator)).toHaveLength(200)
  })

  it('another uid and the flag: it never is, and the verdict names it', () => {
    const { simulator, path } = stopped()
    const input = { savepoint: readSavepoint(bytesOf(simulator, `${path}/_metadata`)), location: path, graph: compileOrThrow(other(document)), settings: { allowNonRestoredState: true, claimMode: 'NO_CLAIM' as const } }
    const verdict = runPlan(restoreVerdict(input), ({ name, offset, length }) => bytesOf(simulator, name).subarray(offset, offset + length))
    expect(verdict.accepted).toBe(true)
    const note = must(verdict.notes.find((one) => one.startsWith('"out" holds')), 'a note about the sink')
    const rows = Number(/1 transaction with (\d+) rows/.exec(note)?.[1])
    expect(rows).toBeGreaterThan(50)
    simulator.submitNext({ document: other(document), restore: restoreFrom(path, 'NO_CLAIM', true) })
    finish(simulator)
    expect(committed(simulator)).toEqual([])
    expect(simulator.sink('other').committedTotal).toBe(200 - rows)
  })
})

describe('FC-061: parallelism that does not divide the number of key groups', () => {
  const sizes = (parallelism: number): readonly number[] =>
    Array.from({ length: parallelism }, (_, subtask) => {
      const { start: first, end } = keyGroupRange(subtask, parallelism, 128)
      return end - first + 1
    })

  it('128 key groups: the ranges are those of Flink', () => {
    expect([0, 1, 2].map((subtask) => keyGroupRange(subtask, 3, 128))).toEqual([{ start: 0, end: 42 }, { start: 43, end: 85 }, { start: 86, end: 127 }])
    const count = (parallelism: number, size: number): number => sizes(parallelism).filter((one) => one === size).length
    expect([count(64, 2), count(80, 2), count(80, 1), count(100, 2), count(100, 1), count(128, 1)]).toEqual([64, 48, 32, 28, 72, 128])
  })
})
