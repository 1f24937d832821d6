import { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import type { SimulatorOptions } from '../../workers/hosts/simulator/simulator.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { topicContents } from '../../workers/outside/topics.ts'

/** Of a job whose topics hold rows of their own, not those of a data set. */
export function simulatorFor(document: JobDocument, options: Omit<SimulatorOptions, 'document' | 'topics'>): Simulator {
  const topics = topicContents(document.topics ?? [], new Map())
  if (!topics.ok) throw new RangeError(topics.error)
  return new Simulator({ ...options, document, topics: topics.value })
}
