/** What is wrong with the document, each with its place and its cure. Choosing one selects the place. */
import { CircleX, TriangleAlert } from 'lucide-react'
import type { Problem } from '../../workers/model/job-graph.ts'

export function ProblemList({ problems, onSelect }: { readonly problems: readonly Problem[]; readonly onSelect: (problem: Problem) => void }) {
  return (
    <section className="problem-list" aria-label="Problems" aria-live="polite">
      <h2>
        Problems <span className="t3">{problems.length}</span>
      </h2>
      {problems.length === 0 && <p className="t2">None. The job can start.</p>}
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.path} ${problem.message}`}>
            <button type="button" onClick={() => onSelect(problem)}>
              {problem.severity === 'error' ? <CircleX size={15} className="mistake" aria-label="error" /> : <TriangleAlert size={15} className="warning" aria-label="warning" />}
              <span>
                <b>{problem.message}</b> {problem.cure}
                <code>{problem.path === '' ? 'document' : problem.path}</code>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
