import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OperatorEvent } from '../../../workers/model/control.ts'
import type { TopicDescription } from '../../../workers/model/job-graph.ts'
import { bare, type Value } from '../../../workers/model/schema.ts'
import { LogEnumerator } from '../../../workers/operators/sources/log-enumerator.ts'
import { READER_STATE } from '../../../workers/operators/sources/split-codec.ts'
import type { SourceOperator } from '../../../workers/operators/operator.ts'
import { Outside, OperatorHarness } from './operator-harness.ts'

const PARTITIONS = 3
const ROWS = 30
const TOPIC: TopicDescription = { name: 'events', partitions: PARTITIONS, schema: bare('Int'), source: { kind: 'rows' } }

type Snapshot = { readonly readers: readonly Map<string, readonly Uint8Array[]>[]; readonly enumerator: Uint8Array; readonly emitted: readonly (readonly Value[])[] }

/** Two readers and their enumerator; the cut of a checkpoint is the enumerator's first, then each reader's, with steps in between. */
class Job {
  private readonly world = new Outside([{ name: 'events', partitions: Array.from({ length: PARTITIONS }, (_, p) => Array.from({ length: ROWS }, (_, i) => p * 1000 + i)) }])
  private enumerator = new LogEnumerator('events', PARTITIONS)
  private readers: OperatorHarness[] = []
  private attempt = 0
  private checkpointId = 0
  private completed: (Snapshot & { readonly id: number }) | null = null
  /** Events to readers, held back while a checkpoint is between the enumerator's cut and the reader's (behaviour 2.6). */
  private held: { readonly subtask: number; readonly event: OperatorEvent }[] = []
  private holding = new Set<number>()

  constructor() {
    this.enumerator.start(this.coordinatorContext, null)
    this.deploy(null)
  }

  private readonly coordinatorContext = {
    parallelism: 2,
    sendEvent: (subtask: number, event: OperatorEvent) => void this.held.push({ subtask, event }),
    setIsProcessingBacklog: () => undefined,
  }

  private deploy(snapshot: Snapshot | null): void {
    this.held = []
    this.holding.clear()
    this.readers = [0, 1].map((subtask) => {
      const reader = new OperatorHarness({ type: 'log', params: { topic: 'events' }, topics: [TOPIC], subtask, parallelism: 2, attemptNumber: this.attempt }, this.world)
      const state = snapshot?.readers[subtask]
      if (state !== undefined) reader.restoreFrom(state)
      reader.open(snapshot === null ? null : 1)
      reader.emitted.push(...(snapshot?.emitted[subtask] ?? []))
      return reader
    })
    this.attempt++
  }

  step(subtask: number, budget: number): void {
    const reader = this.readers[subtask] as OperatorHarness
    for (const event of reader.toCoordinator.splice(0)) this.enumerator.onReaderEvent(subtask, event)
    this.deliver(subtask)
    reader.answer()
    reader.poll(budget)
  }

  /** In order with triggers: what was sent before a checkpoint's trigger arrives before its cut. */
  private deliver(subtask: number): void {
    if (this.holding.has(subtask)) return
    const events = this.held.filter((item) => item.subtask === subtask)
    this.held = this.held.filter((item) => item.subtask !== subtask)
    for (const { event } of events) ((this.readers[subtask] as OperatorHarness).operator as SourceOperator).onCoordinatorEvent(event)
  }

  checkpoint(between: readonly number[], complete: boolean, first: number): void {
    const id = ++this.checkpointId
    const enumerator = this.enumerator.checkpoint(id)
    for (const subtask of [0, 1]) this.deliver(subtask)
    this.holding = new Set([0, 1])
    const states: Map<string, readonly Uint8Array[]>[] = []
    const emitted: Value[][] = []
    for (const subtask of [first, 1 - first]) {
      for (const other of between) this.step(other % 2, 3)
      const reader = this.readers[subtask] as OperatorHarness
      states[subtask] = reader.checkpoint(id, READER_STATE)
      emitted[subtask] = [...reader.emitted]
      this.holding.delete(subtask)
    }
    if (!complete) return
    this.enumerator.notifyCheckpointComplete(id)
    this.completed = { id, readers: states, enumerator, emitted }
  }

  /** Global: the enumerator is reset too. Otherwise it keeps its state and is told of each subtask (behaviour 18). */
  fail(global: boolean): void {
    if (global) this.enumerator.start(this.coordinatorContext, this.completed?.enumerator ?? null)
    else for (const subtask of [0, 1]) this.enumerator.onSubtaskReset(subtask, this.completed?.id ?? null)
    this.deploy(this.completed)
  }

  finish(): readonly Value[] {
    for (let i = 0; i < 200; i++) for (const subtask of [0, 1]) this.step(subtask, 10)
    return this.readers.flatMap((reader) => reader.emitted)
  }
}

describe('readers and their enumerator', () => {
  const action = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('step' as const), subtask: fc.nat(1), budget: fc.integer({ min: 1, max: 6 }) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('checkpoint' as const), between: fc.array(fc.nat(1), { maxLength: 4 }), complete: fc.boolean(), first: fc.nat(1) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), global: fc.boolean() }) },
  )

  it('bring every record into the effect exactly once, whenever they fail', () => {
    const everything = Array.from({ length: PARTITIONS }, (_, p) => Array.from({ length: ROWS }, (_, i) => p * 1000 + i)).flat()
    let failures = 0
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const job = new Job()
        for (const next of actions) {
          if (next.kind === 'step') job.step(next.subtask, next.budget)
          else if (next.kind === 'checkpoint') job.checkpoint(next.between, next.complete, next.first)
          else {
            failures++
            job.fail(next.global)
          }
        }
        expect([...job.finish()].sort((a, b) => Number(a) - Number(b))).toEqual(everything)
      }),
      { numRuns: 300, seed: 11 },
    )
    expect(failures).toBeGreaterThan(100)
  })
})
