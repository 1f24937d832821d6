/** What became of each part of a pasted text, in its order: a list that can be narrowed to one kind, and that shows a long text by parts. */
import { useState } from 'react'
import type { ImportedOption, ImportStatus, UnreadPart } from '../../workers/model/options/import/imported-option.ts'
import { Button } from '../widgets/controls.tsx'
import { count } from '../widgets/figures.ts'

type Kind = ImportStatus | 'not read'

/** What is taken over as it is stands last; what somebody has to look at stands first. */
const KINDS: readonly Kind[] = ['not read', 'refused', 'no value', 'unknown', 'overridden', 'removed', 'renamed', 'not used here', 'unchanged']
const MEANING: Readonly<Record<Kind, string>> = {
  'not read': 'Parts of the text that set no option, or cannot be read.',
  refused: 'Taken over as they stand; no job starts with them.',
  'no value': 'Options that are known; the text does not say what they are set to.',
  unknown: 'Not known here. What has a value is kept in the document, where it does nothing.',
  overridden: 'Another setting of the text counts in their place.',
  removed: 'Flink has them no more; where an option stands for them it is taken over.',
  renamed: 'Set by an old name; taken over under the current one.',
  'not used here': 'Options of Flink that change nothing in the playground.',
  unchanged: 'The same today.',
}
const ROWS = 100

interface Row {
  readonly kind: Kind
  readonly line: number
  readonly what: string
  /** The text itself, where `what` does not say it. */
  readonly from: string | null
  readonly note: string
}

function rowsOf(options: readonly ImportedOption[], unread: readonly UnreadPart[]): readonly Row[] {
  const read = options.map(({ key, value, status, note, from }) => ({ kind: status, line: from.line, what: value === null ? key : `${key}: ${value}`, from: from.text.includes(key) ? null : from.text, note }))
  const rest = unread.map(({ line, text, reason }) => ({ kind: 'not read' as const, line, what: text, from: null, note: reason }))
  return [...read, ...rest].toSorted((left, right) => left.line - right.line)
}

interface ImportListProps {
  readonly options: readonly ImportedOption[]
  readonly unread: readonly UnreadPart[]
}

export function ImportList({ options, unread }: ImportListProps) {
  const [chosen, setChosen] = useState<Kind | null>(null)
  const [limit, setLimit] = useState(ROWS)
  const rows = rowsOf(options, unread)
  const counts = KINDS.map((kind) => ({ kind, number: rows.filter((row) => row.kind === kind).length })).filter(({ number }) => number > 0)
  // A kind that the text no longer has narrows nothing.
  const kind = counts.some((each) => each.kind === chosen) ? chosen : null
  const shown = kind === null ? rows : rows.filter((row) => row.kind === kind)
  if (rows.length === 0) return null
  return (
    <>
      <p className="import-kinds" role="group" aria-label="Show only">
        {counts.map((each) => (
          <button
            key={each.kind}
            type="button"
            aria-pressed={each.kind === kind}
            onClick={() => {
              setChosen(each.kind === kind ? null : each.kind)
              setLimit(ROWS)
            }}
          >
            <b>{count(each.number)}</b> {each.kind}
          </button>
        ))}
      </p>
      {kind !== null && <p className="t2">{MEANING[kind]}</p>}
      <table className="table import-table" aria-label="What becomes of the text">
        <thead>
          <tr>
            <th>Status</th>
            <th>Option and value</th>
            <th className="figure">Line</th>
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, limit).map((row, index) => (
            <tr key={`${row.line} ${row.what} ${index}`} className={`import-${row.kind.replaceAll(' ', '-')}`}>
              <td>{row.kind}</td>
              <td>
                <code>{row.what}</code>
                {row.from !== null && (
                  <small>
                    from <code>{row.from}</code>
                  </small>
                )}
                <small>{row.note}</small>
              </td>
              <td className="figure">{row.line}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length > limit && (
        <p className="import-more">
          {count(limit)} of {count(shown.length)} shown.
          <Button kind="ghost" onClick={() => setLimit(limit * 10)}>
            {`Show ${count(Math.min(shown.length - limit, limit * 9))} more`}
          </Button>
        </p>
      )}
    </>
  )
}
