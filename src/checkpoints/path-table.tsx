/** The longest chain of waits, one line a stretch; the figures add up to the duration below the rule. */
import type { JobGraph } from '../../workers/model/job-graph.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import type { CheckpointProgress } from '../../workers/projections/checkpoint-progress.ts'
import type { CriticalPath, PathSegment } from '../../workers/projections/critical-path.ts'
import { exactMillis, segmentWords } from './path-words.ts'

interface PathTableProps {
  readonly path: CriticalPath
  /** When the checkpoint was triggered. */
  readonly since: EngineTime
  readonly letters: ReadonlyMap<PathSegment, string>
  readonly graph: JobGraph | null
  readonly progress: CheckpointProgress | undefined
  /** What the last time is that of. */
  readonly ending: string
}

export function PathTable({ path, since, letters, graph, progress, ending }: PathTableProps) {
  const longest = Math.max(1, ...path.segments.map((segment) => segment.to - segment.from))
  return (
    <table className="ck-table path-table">
      <caption>The longest chain of waits</caption>
      <thead className="sr">
        <tr>
          <th scope="col">Letter on the drawing</th>
          <th scope="col">What</th>
          <th scope="col">Share</th>
          <th scope="col">Time</th>
        </tr>
      </thead>
      <tbody>
        {path.segments.map((segment) => (
          <tr key={segment.from}>
            <td className="letter">{letters.has(segment) && <i>{letters.get(segment)}</i>}</td>
            <th scope="row">{segmentWords(segment, graph, progress)}{segment.open ? ' …' : ''}</th>
            <td className="share" aria-hidden="true">
              <b style={{ width: `${(100 * (segment.to - segment.from)) / longest}%` }} />
            </td>
            <td className="n">{exactMillis(segment.from, segment.to, path.durationMicros, since)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={3}>
            {ending}
          </th>
          <td className="n">{exactMillis(0, path.durationMicros, path.durationMicros, since)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
