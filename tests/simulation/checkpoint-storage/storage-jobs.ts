/** Jobs whose checkpoints grow or fail as a test wants it. */
import type { Simulator } from '../../../workers/hosts/simulator/simulator.ts'
import type { JobDocument, PlaygroundSettings } from '../../../workers/model/job-document.ts'
import type { EngineEvent, EventOf, EventType } from '../../../workers/model/events.ts'
import { simulatorFor } from '../simulator-for.ts'

export const SECOND = 1_000_000
export const C = 'execution.checkpointing.'

/** log ×2 → count by key ×2 → transactional sink; `wide` makes every key so long. */
export function countJob(config: JobDocument['config'] = {}, { rows = 400, wide = 1, playground = {} }: { readonly rows?: number; readonly wide?: number; readonly playground?: PlaygroundSettings } = {}): JobDocument {
  const key = (index: number): string => `${index % 40}`.padEnd(wide, '.')
  return {
    weir: 'job@1',
    name: 'count',
    config: {
      [`${C}interval`]: '1 h',
      [`${C}min-pause`]: '1 h',
      'restart-strategy.type': 'fixed-delay',
      'restart-strategy.fixed-delay.attempts': 100,
      'restart-strategy.fixed-delay.delay': '10 ms',
      ...config,
    },
    playground,
    topics: [{ name: 'in', partitions: 2, schema: { fields: { key: 'String', value: 'Int' } }, rows: Array.from({ length: rows }, (_, index) => [key(index), index]) }],
    operators: [
      { uid: 'source', type: 'log', parallelism: 2, params: { topic: 'in', rate: 100 } },
      { uid: 'count', type: 'process-count', parallelism: 2 },
      { uid: 'out', type: 'two-phase-commit', parallelism: 1 },
    ],
    edges: [
      { from: 'source', to: 'count', ship: 'hash', by: ['key'] },
      { from: 'count', to: 'out', ship: 'rebalance' },
    ],
  }
}

export function start(document: JobDocument, seed = 1): Simulator {
  return simulatorFor(document, { seed })
}

export const all = <T extends EventType>(simulator: Simulator, type: T): readonly EventOf<T>[] =>
  simulator.events.flatMap(({ body }) => (body.type === type ? [body as EventOf<T>] : []))

/** Triggers one and waits until it has ended, well or not. */
export function checkpoint(simulator: Simulator): EngineEvent['body'] {
  simulator.triggerCheckpoint()
  const ended = simulator.runUntilEvent(({ body }) => body.type === 'CheckpointCompleted' || body.type === 'CheckpointAborted', simulator.now + 700 * SECOND)
  if (ended === null) throw new Error('no checkpoint ended')
  return ended.body
}
