/** Everything that is wrong with what was handed in: the place, what it is, the cure; a line each. */
import type { Problem } from '../../workers/model/job-graph.ts'

export function describeProblems(what: string, problems: readonly Problem[]): string {
  return [`${what}:`, ...problems.map(({ path, message, cure }) => `${path === '' ? '/' : path}: ${message}; ${cure}`)].join('\n')
}
