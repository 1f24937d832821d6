/** Flink's metrics by their names, of a job or of the subtasks of a vertex, as the JobManager answers with them. Names can be searched and copied. */
import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { TickContext, useRest, useTick } from '../checkpoints/use-rest.ts'
import { Icon } from '../widgets/icon.tsx'
import { Section } from './inspector-frame.tsx'
import { emptySentence, metricRows, metricValue } from './metric-rows.ts'
import type { Metric, MetricRow } from './metric-rows.ts'

interface MetricsProps {
  /** Below `/jobs/:jobid`: "", or that of a vertex. */
  readonly path: string
  /** The one that is looked at, among those of its vertex. */
  readonly subtask?: number
}

export function MetricsSection(props: MetricsProps) {
  const [tick] = useTick()
  return (
    <TickContext value={tick}>
      <Section title="Metrics">
        <MetricsList key={props.path} {...props} />
      </Section>
    </TickContext>
  )
}

function MetricsList({ path, subtask }: MetricsProps) {
  const [search, setSearch] = useState('')
  const [said, setSaid] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const names = useRest<readonly Metric[]>(`${path}/metrics`)
  const get = names.body?.map(({ id }) => encodeURIComponent(id)).join(',') ?? ''
  const values = useRest<readonly Metric[]>(get === '' ? null : `${path}/metrics?get=${get}`)
  const rows = metricRows(values.body ?? [], search)
  const copy = (name: string): void => {
    navigator.clipboard.writeText(name).then(
      () => setSaid(`Copied ${name}`),
      () => setSaid('The browser does not let the page copy. Select the name.'),
    )
  }
  return (
    <>
      <input
        className="metric-search"
        type="search"
        aria-label="Search metrics"
        placeholder="Search by name"
        value={search}
        spellCheck={false}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          namesIn(list.current)[0]?.focus()
        }}
      />
      <ul className="metric-list" ref={list} aria-label="Metrics">
        {rows.map((row, index) => (
          <MetricItem key={row.name} row={row} subtask={subtask} isFirst={index === 0} onCopy={() => copy(row.name)} />
        ))}
      </ul>
      {rows.length === 0 && <p className="t3">{emptySentence({ search, problem: values.problem ?? names.problem, names: names.body, isLoading: values.body === null })}</p>}
      <p className="t3 metric-note" role="status">
        {said === '' ? 'Per second: over the last minute, moved on every 5\u00a0s, as in Flink.' : said}
      </p>
    </>
  )
}

function MetricItem({ row, subtask, isFirst, onCopy }: { readonly row: MetricRow; readonly subtask: number | undefined; readonly isFirst: boolean; readonly onCopy: () => void }) {
  return (
    <li>
      <button type="button" className="metric-name mono" title="Copy the name" tabIndex={isFirst ? 0 : -1} onClick={onCopy} onKeyDown={walk}>
        {breakable(row.name)}
        <Icon name="copy" size={12} />
      </button>
      <span className="metric-values num">
        {row.values.map((one) => (
          <span key={one.subtask} className={one.subtask === subtask ? 'own' : ''} title={one.value}>
            {one.subtask !== null && (
              <i>
                <span className="sr">subtask </span>
                {one.subtask}:
              </i>
            )}
            {metricValue(one.value)}
          </span>
        ))}
      </span>
    </li>
  )
}

/** May break behind each dot. */
const breakable = (name: string) => name.split(/(?<=\.)/).flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]))

const namesIn = (list: HTMLUListElement | null): HTMLButtonElement[] => [...(list?.querySelectorAll<HTMLButtonElement>('.metric-name') ?? [])]

/** One stop for the Tab key; arrows go from name to name, and from the first back to the search. */
function walk(event: KeyboardEvent<HTMLButtonElement>): void {
  const list = event.currentTarget.closest('ul')
  const names = namesIn(list)
  const at = names.indexOf(event.currentTarget)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: names.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  event.stopPropagation()
  if (to < 0) list?.parentElement?.querySelector<HTMLInputElement>('.metric-search')?.focus()
  else names[Math.min(to, names.length - 1)]?.focus()
}
