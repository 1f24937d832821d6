/** Decoded values in one line. Strings stand bare at the top and in quotes inside of others, so that `1` and `"1"` are told apart. */
import type { ValueView } from '../../workers/model/snapshot-view.ts'

const GROUP = 2

export const valueText = (value: ValueView): string => (typeof value === 'string' ? value : nestedText(value))

export function nestedText(value: ValueView): string {
  if (value === null) return 'null'
  if (typeof value !== 'object') return scalarText(value)
  switch (value.kind) {
    case 'text':
      return value.text
    case 'list':
      return `[${value.items.map(nestedText).join(', ')}]`
    case 'map':
      return `{${value.entries.map(([key, one]) => `${nestedText(key)} → ${nestedText(one)}`).join(', ')}}`
    case 'record':
      return isTuple(value) ? `(${value.fields.map((field) => nestedText(field.value)).join(', ')})` : `{${value.fields.map((field) => `${field.name}: ${nestedText(field.value)}`).join(', ')}}`
    case 'bytes':
      return `${hexText(value.hex)}${value.hex.length < value.size * GROUP ? ' …' : ''}`
    case 'opaque':
      return `${value.type}, ${value.size} bytes`
  }
}

function scalarText(value: string | number | bigint | boolean): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '−∞' : 'NaN'
  return String(value).replace(/^-/, '−')
}

type RecordView = Extract<ValueView, { readonly kind: 'record' }>

/** Fields without a name of their own: a tuple or a row by position. */
export const isTuple = (value: RecordView): boolean => value.fields.every((field, index) => field.name === `f${index}` || field.name === `_${index + 1}` || field.name === String(index))

/** "4960 672d 0000": two bytes a group. */
export const hexText = (hex: string): string => (hex.match(/.{1,4}/g) ?? []).join(' ')

/** Bytes as rows of sixteen, each with its offset and its printable characters, as a hex dump has them. */
export function hexRows(hex: string): readonly { readonly offset: string; readonly bytes: string; readonly text: string }[] {
  const rows = []
  for (let at = 0; at < hex.length; at += 32) {
    const part = hex.slice(at, at + 32)
    const codes = (part.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
    rows.push({ offset: (at / 2).toString(16).padStart(4, '0'), bytes: hexText(part), text: codes.map((code) => (code >= 32 && code < 127 ? String.fromCharCode(code) : '·')).join('') })
  }
  return rows
}
