/** An operator as the palette adds it: with the defaults that make it a working part, named after its type. */
import type { OperatorType, Parameter } from '../../workers/model/catalogue/operator-type.ts'
import type { JobDocument, OperatorDocument } from '../../workers/model/job-document.ts'
import type { Point } from './edit-job.ts'

export function newOperator(type: OperatorType, job: JobDocument, position: Point): OperatorDocument {
  const params = Object.fromEntries(type.parameters.flatMap((parameter) => initialValue(parameter, job)))
  return {
    uid: type.type,
    type: type.type,
    name: type.title,
    parallelism: 1,
    ...(Object.keys(params).length === 0 ? {} : { params }),
    position,
  }
}

/** Only what is required and has a natural first value; the rest is left to its default. */
function initialValue(parameter: Parameter, job: JobDocument): [string, unknown][] {
  if (parameter.required !== true) return []
  if (parameter.kind === 'topic') return job.topics?.[0] === undefined ? [] : [[parameter.name, job.topics[0].name]]
  if (parameter.kind === 'aggregates') return [[parameter.name, [{ fn: 'count', as: 'n' }]]]
  if ('default' in parameter && parameter.default !== undefined && parameter.default !== null) return [[parameter.name, parameter.default]]
  return []
}
