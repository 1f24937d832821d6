/** Where in the picture a problem belongs: the compiler says a JSON pointer, the canvas marks an operator or an edge. */
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { Problem } from '../../workers/model/job-graph.ts'

export type ProblemPlace =
  | { readonly kind: 'operator'; readonly uid: string }
  | { readonly kind: 'edge'; readonly index: number }
  | { readonly kind: 'document' }

export function placeOf(problem: Problem, job: JobDocument): ProblemPlace {
  const [, collection, position] = problem.path.split('/')
  const index = Number(position)
  if (collection === 'operators' && position !== undefined) {
    const operator = job.operators[index]
    return operator === undefined ? { kind: 'document' } : { kind: 'operator', uid: operator.uid }
  }
  if (collection === 'edges' && position !== undefined) return { kind: 'edge', index }
  return { kind: 'document' }
}

/** The gravest problem of one operator, or null. */
export function problemOfOperator(problems: readonly Problem[], job: JobDocument, uid: string): Problem | null {
  const own = problems.filter((problem) => {
    const place = placeOf(problem, job)
    return place.kind === 'operator' && place.uid === uid
  })
  return own.find((problem) => problem.severity === 'error') ?? own[0] ?? null
}

export function problemOfEdge(problems: readonly Problem[], job: JobDocument, index: number): Problem | null {
  const own = problems.filter((problem) => {
    const place = placeOf(problem, job)
    return place.kind === 'edge' && place.index === index
  })
  return own.find((problem) => problem.severity === 'error') ?? own[0] ?? null
}

/** The names between the slashes, unescaped: what a JSON library takes. Numbers are array positions. */
export function pointerPath(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}
