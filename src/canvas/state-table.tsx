/** Keyed state of one subtask as a table that changes before one's eyes: the rows of most weight, in key-group order. */
import { useState } from 'react'
import type { KeyedStateReport } from '../../workers/model/report.ts'
import type { Value } from '../../workers/model/schema.ts'
import type { SubtaskCheckpoint } from '../../workers/projections/checkpoint-view.ts'
import { KeyLetter } from '../widgets/key-letter.tsx'
import { deltaText, fieldsOf, keyText, scalarText } from './value-text.ts'

export type StateRow = KeyedStateReport['rows'][number]

interface StateTableProps {
  readonly state: KeyedStateReport
  readonly keyName: string
  readonly attempt: string
  /** Rows that fit; the rest is counted. */
  readonly rows: number
  readonly part: SubtaskCheckpoint | undefined
  readonly recovering: boolean
}

const VALUE_COLUMNS_MAX = 3

export function StateTable({ state, keyName, attempt, rows, part, recovering }: StateTableProps) {
  const { before, lost } = usePrevious(state, attempt)
  const shown = weightiest(state.rows, rows)
  const columns = state.columns.slice(0, VALUE_COLUMNS_MAX)
  const newest = Math.max(...state.rows.map((row) => row.changedAt), -1)
  // After a restore every row changed at once: none of them is news.
  const several = state.rows.filter((row) => row.changedAt === newest).length > 1
  const inked = uploadedRows(part, shown.length)
  const hidden = state.keys - shown.length
  return (
    <table className="state-table">
      <thead>
        <tr>
          <th scope="col">{keyName}</th>
          <th scope="col">group</th>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((row, index) => {
          const key = keyText(row.key)
          const values = fieldsOf(row.value)
          const old = before.get(key)
          const fresh = row.changedAt === newest && row.changedAt > 0 && !several
          return (
            <tr key={key} className={inked === null ? '' : index < inked ? 'in-snapshot uploaded' : 'in-snapshot'}>
              <td>
                <KeyLetter name={key} />
              </td>
              <td className="group">{row.keyGroup}</td>
              {columns.map((column, at) => {
                const delta = fresh && old !== undefined ? deltaText(values[at], fieldsOf(old)[at]) : ''
                const gone = recovering && at === 0 ? lost.get(key) : undefined
                const goneText = gone === undefined ? '' : scalarText(fieldsOf(gone)[at])
                return (
                  <td key={column} className={fresh && at === 0 ? 'changed' : ''}>
                    {goneText !== '' && goneText !== scalarText(values[at]) && <s className="lost">{goneText}</s>}
                    {delta !== '' && at === 0 && <span className="delta">{delta} </span>}
                    {scalarText(values[at])}
                  </td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
      {hidden > 0 && <caption className="sr">{hidden} more keys are in the inspector.</caption>}
    </table>
  )
}

/** Those with the largest first figure, so that the choice rarely changes; in the order of their key groups. */
function weightiest(rows: readonly StateRow[], room: number): readonly StateRow[] {
  if (rows.length <= room) return rows
  const weight = (row: StateRow): number => {
    const first = fieldsOf(row.value)[0]
    return typeof first === 'number' ? first : 0
  }
  const chosen = new Set(rows.toSorted((a, b) => weight(b) - weight(a)).slice(0, room))
  return rows.filter((row) => chosen.has(row))
}

/** While the copy is written: how many of the rows are in it already; null when no snapshot is being taken. */
function uploadedRows(part: SubtaskCheckpoint | undefined, rows: number): number | null {
  const cell = part?.cells.keyed
  if (cell?.kind === 'sync') return 0
  if (cell?.kind !== 'async') return null
  return cell.total === 0 ? 0 : Math.floor((cell.written / cell.total) * rows)
}

type Values = ReadonlyMap<string, Value>

const valuesOf = (state: KeyedStateReport): Values => new Map(state.rows.map((row) => [keyText(row.key), row.value]))

interface Memory {
  readonly attempt: string
  readonly state: KeyedStateReport
  readonly values: Values
  /** Of each key the value that it had before its last change. */
  readonly before: Values
  /** Last values of the attempt before. */
  readonly lost: Values
}

function usePrevious(state: KeyedStateReport, attempt: string): Memory {
  const [memory, setMemory] = useState<Memory>(() => ({ attempt, state, values: valuesOf(state), before: new Map(), lost: new Map() }))
  const next = remember(memory, state, attempt)
  if (next !== memory) setMemory(next)
  return next
}

function remember(memory: Memory, state: KeyedStateReport, attempt: string): Memory {
  if (memory.state === state) return memory
  const values = valuesOf(state)
  if (memory.attempt !== attempt) return { attempt, state, values, before: new Map(), lost: memory.values }
  const before = new Map(memory.before)
  for (const [key, value] of values) {
    const old = memory.values.get(key)
    if (old !== undefined && JSON.stringify(old) !== JSON.stringify(value)) before.set(key, old)
  }
  return { ...memory, state, values, before }
}
