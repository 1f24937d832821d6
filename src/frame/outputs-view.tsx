/** What is outside: each sink as two readers see it, and its transactions. */
import { describeRow } from './row-text.ts'
import type { SinkView } from '../../workers/model/outside.ts'
import type { OperatorDescription } from '../../workers/model/job-graph.ts'
import { useRun } from '../stores/run-store.ts'
import { count } from '../widgets/figures.ts'

const ROWS_SHOWN = 30

export function OutputsView() {
  const graph = useRun((state) => state.run.graph)
  const sinks = useRun((state) => state.sinks)
  const operators = graph?.vertices.flatMap((vertex) => vertex.chain.filter((operator) => operator.output === null)) ?? []
  return (
    <div className="pane">
      <h2>Outputs, as readers outside see them</h2>
      {operators.map((operator) => (
        <Sink key={operator.uid} operator={operator} sink={sinks[operator.uid]} />
      ))}
    </div>
  )
}

function Sink({ operator, sink }: { readonly operator: OperatorDescription; readonly sink: SinkView | undefined }) {
  if (sink === undefined) return <p className="t2">{operator.name}: nothing yet.</p>
  const transactional = operator.type === 'two-phase-commit'
  return (
    <section className="sink-pane">
      <h3>{operator.name}</h3>
      <div className="columns">
        {transactional && <Reader title="read committed" total={sink.committedTotal} rows={sink.committed} operator={operator} />}
        <Reader title={transactional ? 'read uncommitted' : 'visible at once'} total={sink.uncommittedTotal} rows={sink.uncommitted} operator={operator} />
        {transactional && <Transactions sink={sink} />}
      </div>
    </section>
  )
}

function Transactions({ sink }: { readonly sink: SinkView }) {
  return (
        <table className="table transactions-table">
          <caption>Transactions</caption>
          <thead>
            <tr>
              <th>id</th>
              <th>state</th>
              <th className="figure">rows</th>
            </tr>
          </thead>
          <tbody>
            {sink.transactions.toReversed().slice(0, ROWS_SHOWN).map((transaction) => (
              <tr key={transaction.id}>
                <td className="mono">{transaction.id}</td>
                <td className={transaction.state === 'ABORTED' ? 'failure' : ''}>{transaction.state}</td>
                <td className="figure">{count(transaction.rows)}</td>
              </tr>
            ))}
          </tbody>
        </table>
  )
}

function Reader({ title, total, rows, operator }: { readonly title: string; readonly total: number; readonly rows: SinkView['committed']; readonly operator: OperatorDescription }) {
  const fields = operator.inputs[0]?.fields ?? []
  return (
    <table className="table">
      <caption>
        {title}: <span className="num">{count(total)}</span> rows, newest first
      </caption>
      <thead>
        <tr>
          {fields.map((field) => (
            <th key={field.name} className={field.type === 'String' ? '' : 'figure'}>
              {field.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(-ROWS_SHOWN).toReversed().map((row, index) => (
          <tr key={index}>
            {describeRow(row, fields).map((cell, column) => (
              <td key={column} className={cell.text ? '' : 'figure'}>
                {cell.value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
