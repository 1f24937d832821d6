/** The palette: every type of operator, by group, with a search. Chosen by click, Enter, or dragged onto the canvas. */
import { Search } from 'lucide-react'
import { useState } from 'react'
import { OPERATOR_TYPES } from '../../workers/model/catalogue/catalogue.ts'
import type { OperatorGroup, OperatorType } from '../../workers/model/catalogue/operator-type.ts'

export const DRAG_TYPE = 'application/x-weir-operator'

export function Palette({ onAdd }: { readonly onAdd: (type: OperatorType) => void }) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = OPERATOR_TYPES.filter((type) => `${type.title} ${type.type} ${type.summary}`.toLowerCase().includes(wanted))
  const groups = [...new Set(found.map((type) => type.group))]
  return (
    <aside className="palette" aria-label="Operators">
      <label className="palette-search">
        <Search size={14} aria-hidden="true" />
        <input
          id="palette-search"
          type="search"
          placeholder="Add an operator"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            const first = found[0]
            if (event.key !== 'Enter' || first === undefined) return
            setText('')
            onAdd(first)
          }}
        />
        <kbd aria-hidden="true">A</kbd>
      </label>
      {found.length === 0 && <p className="palette-none">No operator is called “{text}”.</p>}
      {groups.map((group) => (
        <PaletteGroup key={group} group={group} types={found.filter((type) => type.group === group)} onAdd={onAdd} />
      ))}
    </aside>
  )
}

interface GroupProps {
  readonly group: OperatorGroup
  readonly types: readonly OperatorType[]
  readonly onAdd: (type: OperatorType) => void
}

function PaletteGroup({ group, types, onAdd }: GroupProps) {
  return (
    <section>
      <h3>{group}</h3>
      <ul>
        {types.map((type) => (
          <li key={type.type}>
            <button
              type="button"
              draggable
              title={type.summary}
              onDragStart={(event) => event.dataTransfer.setData(DRAG_TYPE, type.type)}
              onClick={() => onAdd(type)}
            >
              <OperatorMark type={type} />
              <span>{type.title}</span>
              <small>{type.state === null ? '' : 'state'}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A drawing for each group: what goes in, what comes out, what is kept. */
export function OperatorMark({ type }: { readonly type: OperatorType }) {
  const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.3 }
  return (
    <svg className="operator-mark" width="30" height="16" viewBox="0 0 30 16" aria-hidden="true">
      {type.inputs === 0 && (
        <g {...stroke}>
          <rect x="2" y="4" width="18" height="8" />
          <path d="M6 4v8M10 4v8M14 4v8M22 8h6m-2.5-2.5L28 8l-2.5 2.5" />
        </g>
      )}
      {type.inputs === 1 && !type.isSink && (
        <g {...stroke}>
          <path d="M1 8h7m13 0h7m-2.5-2.5L28 8l-2.5 2.5" />
          {type.state === null ? <circle cx="14.5" cy="8" r="4.5" /> : <path d="M9.5 3h11v10h-11zM9.5 6.4h11M9.5 9.7h11M14 3v10" />}
        </g>
      )}
      {type.inputs === 2 && (
        <g {...stroke}>
          <path d="M1 3c6 0 6 5 10 5M1 13c6 0 6-5 10-5m0 0h17m-2.5-2.5L28 8l-2.5 2.5" />
        </g>
      )}
      {type.isSink && (
        <g {...stroke}>
          <path d="M1 8h9m-2.5-2.5L10 8l-2.5 2.5M17 2.5h-3v11h3M25 2.5h3v11h-3" />
          <circle cx="21" cy="8" r="2.2" fill="currentColor" stroke="none" />
        </g>
      )}
    </svg>
  )
}
