/** The flights job for tests, and its known answer: from the rows of the file, by a few lines that use nothing of the engine. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type {} from '../../src/cluster/console-api.ts'
import type { InspectedCheckpoint } from '../../workers/hosts/browser/requests.ts'
import { compareFlights, flightsAnswer, type FlightsComparison } from '../../workers/invariants/flights-answer.ts'
import { FLIGHTS_DELAY } from '../../workers/model/builtin-jobs/flights-delay.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { Value } from '../../workers/model/schema.ts'

const file = JSON.parse(readFileSync(join(import.meta.dirname, '../../public/data/flights-20k.json'), 'utf8')) as { rows: Value[] }

export const FLIGHTS = file.rows
export const PER_PARTITION = FLIGHTS.length / 2

export interface Speed {
  /** Records per second of engine time and source subtask; null: as fast as it goes. */
  readonly rate: number | null
  readonly linkLatency?: string
  /** Checkpoints that are kept; one by default. */
  readonly retained?: number
}

/** Without costs, so that it runs as fast as the machine does, or at that rate. */
export function flightsJob({ rate, linkLatency, retained = 1 }: Speed): JobDocument {
  return {
    ...FLIGHTS_DELAY,
    config: {
      ...FLIGHTS_DELAY.config,
      'execution.checkpointing.interval': '1 s',
      'execution.checkpointing.num-retained': retained,
      'restart-strategy.type': 'fixed-delay',
      'restart-strategy.fixed-delay.attempts': 10,
      'restart-strategy.fixed-delay.delay': '100 ms',
    },
    playground: { taskManagers: 2, slotsPerTaskManager: 1, detectionDelay: '50 ms', ...(linkLatency === undefined ? {} : { linkLatency }) },
    operators: FLIGHTS_DELAY.operators.map(({ cost: _cost, ...operator }) => {
      if (operator.type !== 'log') return operator
      return { ...operator, params: { topic: 'flights', ...(rate === null ? {} : { rate }) } }
    }),
  }
}

/** Starts it in the place of what the page has started by itself. Answers where in the log it begins. */
export function startFlights(page: Page, speed: Speed): Promise<number> {
  return page.evaluate(async (document) => {
    const { weir } = window
    await weir.pace(1)
    weir.load(document)
    const id = await weir.start()
    const submitted = await weir.until(({ body }) => body.type === 'JobSubmitted' && body.job === id, { since: 0 })
    return 'position' in submitted ? submitted.position : 0
  }, flightsJob(speed))
}

/** When every row has been read and the checkpoint behind all of them has completed: what lies in storage then. */
export function checkpointBehindAll(page: Page, from: number): Promise<InspectedCheckpoint> {
  return page.evaluate(async ([perPartition, begin]) => {
    for (let since = begin; ; ) {
      const completed = await window.weir.until({ event: 'CheckpointCompleted' }, { since, timeout: 60_000 })
      if (!('position' in completed) || completed.body.type !== 'CheckpointCompleted') throw new Error('not an event')
      since = completed.position
      // A newer checkpoint may have taken its place by now.
      const checkpoint = await window.weir.inspect(completed.body.checkpointId).catch(() => null)
      const splits = checkpoint?.operators.find(({ uid }) => uid === 'flights')?.splits ?? []
      if (checkpoint !== null && splits.length === 2 && splits.every(({ offset }) => offset === perPartition)) return checkpoint
    }
  }, [PER_PARTITION, from] as const)
}

/** Holds the state of a checkpoint against the answer for the offsets that the same checkpoint names. */
export function compareCheckpoint({ operators }: InspectedCheckpoint): FlightsComparison {
  const offsets = [0, 0]
  for (const { partition, offset } of operators.find(({ uid }) => uid === 'flights')?.splits ?? []) offsets[partition] = offset
  const entries = (operators.find(({ uid }) => uid === 'delay')?.keyed ?? []).map(({ key, value }) => ({ key: key as Value, value: value as Value }))
  return compareFlights(entries, flightsAnswer(FLIGHTS, offsets))
}

/** Airports whose updates an outside reader does not see as 1, 2, 3 … n, each once; empty: nothing is lost and nothing is doubled. */
export function wrongUpdates(rows: readonly Value[], origin = 0, count = 1): string[] {
  const seen = new Map<string, number[]>()
  for (const row of rows as readonly (readonly (string | number)[])[]) {
    const counts = seen.get(String(row[origin])) ?? []
    counts.push(Number(row[count]))
    seen.set(String(row[origin]), counts)
  }
  const expected = flightsAnswer(FLIGHTS, [PER_PARTITION, PER_PARTITION])
  return [...expected].flatMap(([airport, { flights }]) => {
    const counts = (seen.get(airport) ?? []).toSorted((a, b) => a - b)
    return counts.length === flights && counts.every((value, i) => value === i + 1) ? [] : [`${airport}: ${counts.length} of ${flights}`]
  })
}
