/** Flink's Configuration tab (behaviour 20.4). */
import type { Answer } from './use-rest.ts'
import type { ConfigAnswer } from './checkpoint-answers.ts'
import { configurationRows } from './configuration-rows.ts'

export function ConfigurationTab({ config }: { readonly config: Answer<ConfigAnswer> }) {
  if (config.body === null || !config.isOwn) return <p className="detail-note">{(config.isOwn ? config.problem : null) ?? 'Asking the JobManager …'}</p>
  return (
    <table className="ck-table configuration">
      <thead>
        <tr>
          <th scope="col">Option</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {configurationRows(config.body).map(([option, value]) => (
          <tr key={option}>
            <th scope="row">{option}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
