/** Values in one line of text: for comparing, for searching, for tables. */
import type { ValueView } from '../model/snapshot-view.ts'

/** Strings stand bare at the top (`hello`), in quotes inside of others. */
export const valueText = (value: ValueView): string => (typeof value === 'string' ? value : nested(value))

function nested(value: ValueView): string {
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value === 'string' ? JSON.stringify(value) : String(value)
  switch (value.kind) {
    case 'text':
      return value.text
    case 'list':
      return `[${value.items.map(nested).join(', ')}]`
    case 'map':
      return `{${value.entries.map(([key, one]) => `${nested(key)}: ${nested(one)}`).join(', ')}}`
    case 'record':
      return `(${value.fields.map((field) => `${field.name}: ${nested(field.value)}`).join(', ')})`
    case 'bytes':
      return `0x${value.hex}${value.hex.length < value.size * 2 ? '…' : ''}`
    case 'opaque':
      return `${value.type}: ${value.size} bytes, 0x${value.hex}${value.hex.length < value.size * 2 ? '…' : ''}`
  }
}

/** The text of a value, and of each field of a record: what a search for a key compares with. */
export function searchTexts(value: ValueView): string[] {
  const whole = valueText(value)
  return value !== null && typeof value === 'object' && value.kind === 'record' ? [whole, ...value.fields.map((field) => valueText(field.value))] : [whole]
}
