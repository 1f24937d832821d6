/** The simulator as a scenario sees a run. */
import { sinkDifference, stateDifference, straightResult } from '../../invariants/exactly-once.ts'
import type { RunView } from '../../invariants/run-view.ts'
import type { EngineEvent, EventOf } from '../../model/events.ts'
import type { JobStatus } from '../../model/execution.ts'
import type { OperatorDocument } from '../../model/job-document.ts'
import type { SinkView } from '../../model/outside.ts'
import type { EngineTime } from '../../model/time.ts'
import type { Simulator } from './simulator.ts'
import { generatedRows } from './generated-rows.ts'
import { readOffsets, sourcesAtEnd } from './source-progress.ts'

export class SimulatorView implements RunView {
  readonly host = 'simulator'
  private readonly simulator: Simulator

  constructor(simulator: Simulator) {
    this.simulator = simulator
  }

  get now(): EngineTime {
    return this.simulator.now
  }

  get events(): readonly EngineEvent[] {
    return this.simulator.events
  }

  get status(): JobStatus | null {
    return this.simulator.status
  }

  vertexOf(uid: string): string | null {
    return this.simulator.graph.vertices.find((vertex) => vertex.chain.some((operator) => operator.uid === uid))?.id ?? null
  }

  operatorIdOf(uid: string): string {
    const operators = this.simulator.graph.vertices.flatMap((vertex) => vertex.chain)
    return operators.find((operator) => operator.uid === uid)?.operatorId ?? ''
  }

  keyedState(uid: string): ReadonlyMap<string, string> | null {
    return this.simulator.keyedState(uid)
  }

  sink(uid: string): SinkView {
    return this.simulator.sink(uid)
  }

  sourcesIdle(): boolean {
    return sourcesAtEnd(this.simulator)
  }

  private skewChanges(uid: string): readonly EventOf<'KeySkewChanged'>[] {
    const operator = this.operatorIdOf(uid)
    return this.events.flatMap(({ body }) => (body.type === 'KeySkewChanged' && body.operator === operator ? [body] : []))
  }

  exactlyOnce(): string | null {
    const { document, graph, topics } = this.simulator
    const job = { document, graph, topics, generate: (operator: OperatorDocument) => generatedRows(operator.params ?? {}, this.skewChanges(operator.uid)) }
    const result = straightResult(job, readOffsets(this.simulator))
    const state = this.simulator.status === 'RUNNING' ? stateDifference(result, (uid) => this.simulator.keyedState(uid)) : null
    return state ?? sinkDifference(job, result, (uid) => this.simulator.sink(uid))
  }
}
