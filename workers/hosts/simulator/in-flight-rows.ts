/** The records that a checkpoint holds in flight, by edge, decoded by the edge's schema: its state is the effect of the source prefix without them. */
import type { RowsInFlight } from '../../invariants/plain-model.ts'
import { must } from '../../base/assert.ts'
import type { JobEdge, JobGraph } from '../../model/job-graph.ts'
import type { ChannelStateHandle } from '../../model/state-handles.ts'
import type { Value } from '../../model/schema.ts'
import { readChannelState } from '../../network/channel-state-codec.ts'
import type { InspectedSnapshot } from '../../savepoint/inspect.ts'

export function rowsInFlight(graph: JobGraph, snapshot: InspectedSnapshot, bytesOf: (handle: ChannelStateHandle) => Uint8Array): RowsInFlight {
  const rows = new Map<string, Value[]>()
  const add = (edge: JobEdge, handle: ChannelStateHandle): void => {
    const key = keyOfEdge(graph, edge)
    const list = rows.get(key) ?? []
    rows.set(key, list)
    for (const element of readChannelState(handle, bytesOf(handle), edge.schema)) if (element.kind === 'record') list.push(element.value)
  }
  for (const vertex of graph.vertices) {
    const inputs = graph.edges.filter((edge) => edge.to === vertex.id)
    const outputs = graph.edges.filter((edge) => edge.from === vertex.id)
    for (const { operatorId } of vertex.chain) {
      for (const { state } of snapshot.operators.find(({ operator }) => operator.operatorId === operatorId)?.operator.subtasks ?? []) {
        for (const handle of state.inputChannel ?? []) add(must(inputs[handle.major], `gate ${handle.major}`), handle)
        for (const handle of state.resultSubpartition ?? []) add(must(outputs[handle.major], `partition ${handle.major}`), handle)
      }
    }
  }
  return (from, to, input) => rows.get(`${from} ${to} ${input}`) ?? []
}

/** By the operators that it joins: the last one of a chain and the first one of the next. */
function keyOfEdge(graph: JobGraph, edge: JobEdge): string {
  const from = graph.vertices.find((vertex) => vertex.id === edge.from)?.chain.at(-1)
  const to = graph.vertices.find((vertex) => vertex.id === edge.to)?.chain[0]
  return `${from?.uid ?? ''} ${to?.uid ?? ''} ${edge.input}`
}
