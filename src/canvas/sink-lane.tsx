/** What a sink has outside: transactions as brackets, the last rows, and what readers see. */
import type { SinkView, TransactionState } from '../../workers/model/outside.ts'
import type { Value } from '../../workers/model/schema.ts'
import type { OperatorDescription } from '../../workers/model/job-graph.ts'
import { shortTransaction } from '../../workers/projections/sentence.ts'
import { useRun } from '../stores/run-store.ts'
import { count } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import type { IconName } from '../widgets/icon.tsx'
import { KeyLetter } from '../widgets/key-letter.tsx'
import { fieldsOf, scalarText } from './value-text.ts'

const TRANSACTIONS_SHOWN = 3
const ROW_HEIGHT = 16.5

const WORDS: Readonly<Record<TransactionState, { readonly icon: IconName; readonly text: string }>> = {
  OPEN: { icon: 'created', text: 'open' },
  PRE_COMMITTED: { icon: 'hourglass', text: 'pre-committed' },
  COMMITTED: { icon: 'committed', text: 'committed' },
  ABORTED: { icon: 'failed', text: 'aborted' },
}

interface SinkLaneProps {
  readonly operator: OperatorDescription
  readonly sink: SinkView | undefined
  readonly height: number
  readonly subtask: number
}

export function SinkContent({ operator, sink, height, subtask }: SinkLaneProps) {
  const transactional = operator.type === 'two-phase-commit'
  const transactions = (sink?.transactions ?? []).filter((transaction) => isOf(transaction.id, subtask)).slice(-TRANSACTIONS_SHOWN)
  const brackets = transactional ? transactions.length * 41 : 0
  const room = Math.floor((height - 150 - brackets - 82) / ROW_HEIGHT)
  const rows = (sink?.uncommitted ?? []).slice(-Math.max(0, Math.min(14, room))).toReversed()
  return (
    <div className="sink-content">
      {transactional && (
        <div className="transactions">
          {transactions.map((transaction) => (
            <div key={transaction.id} className={`transaction ${transaction.state.toLowerCase()}`}>
              <b>txn {shortTransaction(transaction.id)}</b>
              <span>
                <span className="num">{count(transaction.rows)}</span> rows
              </span>
              <em>
                <Icon name={WORDS[transaction.state].icon} size={12} />
                {WORDS[transaction.state].text}
              </em>
            </div>
          ))}
        </div>
      )}
      {subtask === 0 && rows.length > 0 && <LastRows operator={operator} rows={rows} />}
      {subtask === 0 && height > 160 && <Readers sink={sink} transactional={transactional} />}
    </div>
  )
}

/** `<job>-<uid>-<subtask>-<leader>.<attempt>-<n>`. Rows and readers are of the whole sink and stand in the first lane. */
function isOf(transaction: string, subtask: number): boolean {
  const match = /-(\d+)-\d+\.\d+-\d+$/.exec(transaction)
  return match === null || Number(match[1]) === subtask
}

/** The key is the first text of the row, the figure its last number. */
function LastRows({ operator, rows }: { readonly operator: OperatorDescription; readonly rows: readonly Value[] }) {
  const fields = operator.inputs[0]?.fields ?? []
  const text = Math.max(0, fields.findIndex((field) => field.type === 'String'))
  const figure = fields.findLastIndex((field) => field.type !== 'String')
  return (
    <table className="state-table last-rows">
      <thead>
        <tr>
          <th scope="col">last rows</th>
          <th scope="col">{figure < 0 ? '' : fields[figure]?.name}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            <td>
              <KeyLetter name={String(fieldsOf(row)[text] ?? '')} />
            </td>
            <td>{figure < 0 ? '' : scalarText(fieldsOf(row)[figure])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Readers({ sink, transactional }: { readonly sink: SinkView | undefined; readonly transactional: boolean }) {
  const watching = useRun((state) => state.status?.role === 'watching')
  const committed = sink === undefined ? '–' : count(sink.committedTotal)
  const uncommitted = sink === undefined ? '–' : count(sink.uncommittedTotal)
  return (
    <dl className="readers">
      <dt>outside readers see</dt>
      {transactional ? (
        <>
          <dd>read committed</dd>
          <dd className="num">{committed}</dd>
          <dd>read uncommitted</dd>
          <dd className="num">{uncommitted}</dd>
        </>
      ) : (
        <>
          <dd>rows</dd>
          <dd className="num">{uncommitted}</dd>
        </>
      )}
      {sink === undefined && watching && <dd className="unasked">only the tab that runs the job can ask</dd>}
    </dl>
  )
}
