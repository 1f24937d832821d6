/** A decoded value in a table: one line; what is longer or nested opens as a tree, bytes as a hex dump. */
import { useState } from 'react'
import type { ValueView } from '../../workers/model/snapshot-view.ts'
import { hexRows, hexText, isTuple, nestedText, valueText } from './value-text.ts'

const LINE_MAX = 72
const ITEMS_MAX = 200

export function ValueCell({ value }: { readonly value: ValueView }) {
  const [open, setOpen] = useState(false)
  const text = valueText(value)
  const opens = isNested(value) && (text.length > LINE_MAX || (value.kind !== 'record' && value.kind !== 'list'))
  const line = text.length > LINE_MAX ? `${text.slice(0, LINE_MAX)}…` : text
  if (!opens && text.length <= LINE_MAX) return <ValueLine value={value} text={line} />
  return (
    <span className="value-open">
      <button type="button" className="value-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ValueLine value={value} text={line} />
      </button>
      {open && (isNested(value) ? <ValueTree value={value} /> : <span className="value-whole">{text}</span>)}
    </span>
  )
}

type Nested = Exclude<Extract<ValueView, object>, { readonly kind: 'text' }>

const isNested = (value: ValueView): value is Nested => value !== null && typeof value === 'object' && value.kind !== 'text'

function ValueLine({ value, text }: { readonly value: ValueView; readonly text: string }) {
  if (value === null) return <span className="value null">null</span>
  if (typeof value !== 'object') return <span className={`value ${typeof value}`}>{text === '' ? <i className="value-note">empty</i> : text}</span>
  if (value.kind === 'opaque') {
    return (
      <span className="value opaque">
        <b>{value.type}</b> {value.size} bytes <span className="hex">{hexText(value.hex.slice(0, 24))}{value.hex.length > 24 ? ' …' : ''}</span>
      </span>
    )
  }
  if (value.kind === 'bytes') {
    return (
      <span className="value bytes">
        <span className="hex">{text === '' ? '–' : text}</span> <i className="value-note">{value.size} bytes</i>
      </span>
    )
  }
  return <span className={`value ${value.kind}`}>{text}</span>
}

/** Every part on a line of its own. */
function ValueTree({ value }: { readonly value: Nested }) {
  if (value.kind === 'bytes' || value.kind === 'opaque') return <HexDump hex={value.hex} size={value.size} />
  const parts = partsOf(value)
  return (
    <ul className="value-tree">
      {value.kind === 'record' && !isTuple(value) && <li className="value-type">{value.type}</li>}
      {parts.slice(0, ITEMS_MAX).map((part) => (
        <li key={part.key}>
          <span className="value-name">{part.name}</span>
          {isNested(part.value) && partsOf(part.value).length > 0 && nestedText(part.value).length > LINE_MAX ? <ValueTree value={part.value} /> : <ValueCell value={part.value} />}
        </li>
      ))}
      {parts.length > ITEMS_MAX && <li className="value-type">and {parts.length - ITEMS_MAX} more</li>}
    </ul>
  )
}

interface Part {
  readonly key: string
  readonly name: string
  readonly value: ValueView
}

function partsOf(value: Nested): readonly Part[] {
  if (value.kind === 'list') return value.items.map((item, index) => ({ key: String(index), name: String(index), value: item }))
  if (value.kind === 'map') return value.entries.map(([key, one], index) => ({ key: String(index), name: nestedText(key), value: one }))
  return value.kind === 'record' ? value.fields.map((field) => ({ key: field.name, name: field.name, value: field.value })) : []
}

/** The first bytes as they are, with their characters beside them. */
export function HexDump({ hex, size }: { readonly hex: string; readonly size: number }) {
  return (
    <pre className="hex-dump">
      {hexRows(hex).map((row) => `${row.offset}  ${row.bytes.padEnd(39)}  ${row.text}`).join('\n')}
      {hex.length < size * 2 ? `\n… ${size} bytes in all` : ''}
    </pre>
  )
}
