/** Description → the JobManager's half of an operator: the enumerator of a source. */
import { must } from '../base/assert.ts'
import type { JobGraph, OperatorDescription } from '../model/job-graph.ts'
import type { OperatorCoordinator } from './operator-coordinator.ts'
import { LogEnumerator } from './sources/log-enumerator.ts'
import { SequenceEnumerator } from './sources/sequence-enumerator.ts'

/** For operators with `hasCoordinator`. Throws for another type. */
export function createCoordinator(description: OperatorDescription, graph: JobGraph): OperatorCoordinator {
  switch (description.type) {
    case 'log': {
      const name = String(description.params['topic'])
      const topic = must(graph.topics.find((candidate) => candidate.name === name), `topic ${name}`)
      return new LogEnumerator(topic.name, topic.partitions, Number(description.params['initialSnapshot'] ?? 0) > 0)
    }
    case 'generator':
      return new SequenceEnumerator((description.params['count'] as number | null | undefined) ?? null)
    default:
      throw new RangeError(`an operator of type ${description.type} has no coordinator`)
  }
}
