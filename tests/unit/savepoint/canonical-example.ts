/** A canonical keyed file with one key in key group 35 of 128: a value, a list, a map with a null, a timer. */
import { CanonicalWriter, compositeKey, delimitedList, mapValue } from '../../../workers/savepoint/files/canonical-writer.ts'
import { writeStatesKeyedHeader } from '../../../workers/savepoint/files/state-header-writer.ts'
import type { StateInfo } from '../../../workers/savepoint/files/state-headers.ts'
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'
import { encode, listOf, LONG, mapOf, record, STRING, timerOf, VOID } from './value-types.ts'

export const STATES: readonly StateInfo[] = [
  { name: 'count', kind: 'keyed', type: 'VALUE', key: null, namespace: VOID, value: LONG },
  { name: 'events', kind: 'keyed', type: 'LIST', key: null, namespace: VOID, value: listOf(STRING) },
  { name: 'totals', kind: 'keyed', type: 'MAP', key: null, namespace: VOID, value: mapOf(STRING, LONG) },
  { name: '_timer_state/event_user-timers', kind: 'timers', type: '', key: null, namespace: null, value: timerOf(STRING, VOID) },
]
export const KEY_GROUP = 35
export const RANGE = { start: 0, end: 63 }
export const MAX_PARALLELISM = 128

export function canonicalExample(): { readonly bytes: Uint8Array; readonly offsets: readonly number[]; readonly headerLength: number } {
  const header = new DataOutput()
  writeStatesKeyedHeader(header, STRING, STATES)
  const writer = new CanonicalWriter(header.toBytes(), RANGE, MAX_PARALLELISM)
  const key = encode(STRING, 'hello')
  const none = encode(VOID, null)
  const plain = compositeKey(key, none, false, null)
  writer.entry(KEY_GROUP, 0, plain, encode(LONG, 5))
  writer.entry(KEY_GROUP, 1, plain, delimitedList([encode(STRING, 'e1-hello'), encode(STRING, 'e2')]))
  for (const [mapKey, value] of [['x', 1], ['y', -1], ['nul', null]] as const) {
    writer.entry(KEY_GROUP, 2, compositeKey(key, none, false, encode(STRING, mapKey)), mapValue(value === null ? null : encode(LONG, value)))
  }
  const timer = record('Timer', { timestamp: 1005, key: 'hello', namespace: null })
  writer.entry(KEY_GROUP, 3, encode(timerOf(STRING, VOID), timer), new Uint8Array(0))
  return { ...writer.result(), headerLength: header.position }
}
