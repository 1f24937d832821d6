import type { EngineTime } from '../../model/time.ts'

/** How long things take in the simulated world, in engine microseconds. Each is a base; `jitterMicros` is drawn on top, per message. */
export interface Latencies {
  /** On top of the job's own link latency. */
  readonly linkMicros: EngineTime
  readonly linkJitterMicros: EngineTime
  /** Between JobManager and tasks, one way. */
  readonly controlMicros: EngineTime
  readonly controlJitterMicros: EngineTime
  /** One way, to storage and back. The job's own storage latency is modelled by the task. */
  readonly storageMicros: EngineTime
  readonly storageJitterMicros: EngineTime
  readonly outsideMicros: EngineTime
  readonly outsideJitterMicros: EngineTime
  /** From the deployment of a task to its first input. */
  readonly taskStartMicros: EngineTime
  /** From the need for a TaskManager to its registration. */
  readonly taskManagerStartMicros: EngineTime
  /** From the death of the JobManager to the next leader. */
  readonly failoverMicros: EngineTime
  /** From a kill to the JobManager's knowledge of it, where the job does not say (`detectionDelay`). */
  readonly detectionMicros: EngineTime
  /** A turn of a task works on 1 to so many records. */
  readonly turnBudgetMax: number
  /** Cost of one unit of a turn's budget. At least 1, so that a flat-out job moves the clock. */
  readonly turnMicrosPerRecord: EngineTime
  /** A slice of a snapshot's asynchronous part writes 1 to so many entries. */
  readonly sliceBudgetMax: number
  readonly sliceMicros: EngineTime
}

export const DEFAULT_LATENCIES: Latencies = {
  linkMicros: 20,
  linkJitterMicros: 30,
  controlMicros: 200,
  controlJitterMicros: 200,
  storageMicros: 500,
  storageJitterMicros: 1000,
  outsideMicros: 100,
  outsideJitterMicros: 200,
  taskStartMicros: 1000,
  taskManagerStartMicros: 50_000,
  failoverMicros: 100_000,
  detectionMicros: 5000,
  turnBudgetMax: 32,
  turnMicrosPerRecord: 1,
  sliceBudgetMax: 64,
  sliceMicros: 20,
}
