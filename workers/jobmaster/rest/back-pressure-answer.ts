/**
 * `/jobs/:jobid/vertices/:vertexid/backpressure`. Flink: JobVertexBackPressureHandler, JobVertexBackPressureInfo (behaviour 8.4). Levels stand there
 * twice since 1.17: under the old name, and under one that every language can have as a name.
 */
import type { VertexId } from '../../model/ids.ts'
import { toMillis } from '../../model/time.ts'
import type { EngineTime } from '../../model/time.ts'
import type { JobMaster } from '../job-master.ts'

type Level = 'ok' | 'low' | 'high'

/** Nothing is known of any subtask: Flink says "deprecated", and nothing else. */
export function backPressureAnswer(master: JobMaster, vertex: VertexId, now: EngineTime): unknown {
  const { executions } = master.executionGraph.vertex(vertex)
  const subtasks = executions.flatMap(({ subtask }) => {
    const shares = master.meters.shares(vertex, subtask)
    if (shares === null) return []
    const { backPressured, idle, busy } = shares
    return [{ subtask, ...levelAnswer(backPressured), ratio: backPressured, idleRatio: idle, busyRatio: busy }]
  })
  if (subtasks.length === 0) return { status: 'deprecated' }
  const worst = Math.max(...subtasks.map((subtask) => subtask.ratio))
  return { status: 'ok', ...levelAnswer(worst), 'end-timestamp': toMillis(now), subtasks }
}

function levelAnswer(ratio: number): { readonly backpressureLevel: Level; readonly 'backpressure-level': Level } {
  const level = levelOf(ratio)
  return { backpressureLevel: level, 'backpressure-level': level }
}

const levelOf = (ratio: number): Level => (ratio <= 0.1 ? 'ok' : ratio <= 0.5 ? 'low' : 'high')
