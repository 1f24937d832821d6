/** The graph as nested lists: operators, their subtasks, their channels. The same facts for those who do not look at pictures. */
import { inputChannels } from '../../workers/projections/channel-view.ts'
import { senderName } from '../../workers/projections/plan.ts'
import { taskManagerName } from '../../workers/projections/sentence.ts'
import { laneState } from '../canvas/lane-state.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { count, percent } from '../widgets/figures.ts'

export function ListView() {
  const run = useRun((state) => state.run)
  const set = useView((state) => state.set)
  const { graph } = run
  if (graph === null) return null
  return (
    <div className="pane">
      <h2>{graph.name}</h2>
      <ul className="list-twin">
        {graph.vertices.map((vertex) => (
          <li key={vertex.id}>
            <h3>
              {vertex.name}, {vertex.parallelism} {vertex.parallelism === 1 ? 'subtask' : 'subtasks'}
            </h3>
            <ul>
              {Array.from({ length: vertex.parallelism }, (_, subtask) => {
                const key = `${vertex.id}_${subtask}`
                const flow = run.flows[key]
                const task = run.job.tasks[key]
                return (
                  <li key={subtask}>
                    <button type="button" className="first-link" onClick={() => set({ selection: { kind: 'subtask', vertex: vertex.id, subtask } })}>
                      {vertex.name} {subtask}
                    </button>
                    {laneState(run, vertex.id, subtask).words}
                    {task?.taskManager != null && ` on ${taskManagerName(task.taskManager)}`}
                    {flow?.busy != null && `, ${percent(flow.busy)} busy`}, {count(flow?.report.recordsIn ?? 0)} records in, {count(flow?.report.recordsOut ?? 0)} out
                    <ul>
                      {inputChannels(graph, vertex.id, subtask).map((id) => {
                        const channel = run.channels[id]
                        return (
                          <li key={id}>
                            from {senderName(graph, id)}: {channel?.state ?? 'open'}, {count(channel?.input.records ?? 0)} records queued, {count(channel?.output.records ?? 0)} still at the sender
                          </li>
                        )
                      })}
                    </ul>
                  </li>
                )
              })}
            </ul>
          </li>
        ))}
      </ul>
    </div>
  )
}
