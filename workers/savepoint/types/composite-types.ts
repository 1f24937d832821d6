/**
 * Types made of other types: what stands between the head of their snapshot and the nested ones, and what they become. Flink: the subclasses
 * of CompositeTypeSerializerSnapshot.
 */
import type { DataInput } from '../../state/serializers/data-input.ts'
import { readJavaStream } from './java-object-reader.ts'
import { opaque, simple } from './type-info.ts'
import type { RecordType, TypeInfo } from './type-info.ts'

/** What the outer body said. */
interface Outer {
  readonly name: string
  readonly flag: boolean
  readonly number: number
}

export interface Composite {
  /** How many nested serializers there must be; null = any number. */
  readonly arity: number | null
  readonly readOuter: (input: DataInput, outerVersion: number) => Outer
  readonly build: (nested: readonly TypeInfo[], outer: Outer) => TypeInfo
}

const NOTHING: Outer = { name: '', flag: false, number: 0 }
const nothing = (): Outer => NOTHING
const named = (input: DataInput): Outer => ({ ...NOTHING, name: input.readUTF('the class of a composite type') })

const at = (nested: readonly TypeInfo[], index: number): TypeInfo => nested[index] ?? opaque('a type that the snapshot does not name', true)
const shortName = (className: string): string => className.slice(Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1)
const numbered = (nested: readonly TypeInfo[], prefix: string, first = 0): RecordType['fields'] => nested.map((type, i) => ({ name: `${prefix}${i + first}`, type }))
const LONG = simple('org.apache.flink.api.common.typeutils.base.LongSerializer$LongSerializerSnapshot')
const INT = simple('org.apache.flink.api.common.typeutils.base.IntSerializer$IntSerializerSnapshot')
const BOOLEAN = simple('org.apache.flink.api.common.typeutils.base.BooleanSerializer$BooleanSerializerSnapshot')
const STRING = simple('org.apache.flink.api.common.typeutils.base.StringSerializer$StringSerializerSnapshot')

const composite = (arity: number | null, build: Composite['build'], readOuter: Composite['readOuter'] = nothing): Composite => ({ arity, readOuter, build })
const either = (name: string, tags: readonly number[], cases: readonly string[]): Composite =>
  composite(cases.length, (nested) => ({ kind: 'either', name, tags, cases: cases.map((one, i) => ({ name: one, type: at(nested, i) })) }))
/** A record of fixed parts before or after the nested types. */
const record = (name: string, fields: readonly (readonly [string, TypeInfo | number])[]): Composite =>
  composite(fields.filter(([, type]) => typeof type === 'number').length, (nested) => ({
    kind: 'record',
    name,
    fields: fields.map(([field, type]) => ({ name: field, type: typeof type === 'number' ? at(nested, type) : type })),
  }))

const list = (name: 'List' | 'ArrayList'): Composite => composite(1, (nested) => ({ kind: 'list', name, element: at(nested, 0) }))
const map = composite(2, (nested) => ({ kind: 'map', key: at(nested, 0), value: at(nested, 1) }))
/** Its values are those of the one nested type. */
const wrapper = (readOuter: Composite['readOuter'] = nothing): Composite => composite(1, (nested) => at(nested, 0), readOuter)

function readRowOuter(input: DataInput, outerVersion: number): Outer {
  return { ...NOTHING, flag: outerVersion >= 4 ? input.readBoolean('whether rows have a kind') : outerVersion === 3 }
}

function readExternalOuter(input: DataInput): Outer {
  readJavaStream(input)
  return { ...NOTHING, flag: input.readBoolean('whether the input is internal') }
}

const readLinkedListOuter = (input: DataInput, outerVersion: number): Outer => ({ ...NOTHING, flag: outerVersion >= 3 ? input.readBoolean('whether there is a null mask') : outerVersion === 2 })
const readNullableOuter = (input: DataInput): Outer => ({ ...NOTHING, number: input.readInt('the length of the padding') })
const readNfaOuter = (input: DataInput, outerVersion: number): Outer => ({ ...NOTHING, flag: outerVersion >= 2 && input.readBoolean('whether there are previous timestamps') })
const readTransactionsOuter = (input: DataInput, outerVersion: number): Outer => ({ ...NOTHING, flag: outerVersion >= 4 ? input.readBoolean('whether a transaction may be null') : outerVersion === 3 })

const BASE = 'org.apache.flink.api.common.typeutils.base'
const RUNTIME = 'org.apache.flink.api.java.typeutils.runtime'
const STREAMING = 'org.apache.flink.streaming'
const SCALA = ['org.apache.flink.table.api.typeutils', 'org.apache.flink.api.scala.typeutils'] as const
const CEP = 'org.apache.flink.cep.nfa'
const SQL = 'org.apache.flink.table.runtime.typeutils'
const scala = (name: string, one: Composite): [string, Composite][] => SCALA.map((folder) => [`${folder}.${name}SerializerSnapshot`, one])

/** By the class name of the snapshot. */
export const COMPOSITES: ReadonlyMap<string, Composite> = new Map<string, Composite>([
  [`${BASE}.ListSerializerSnapshot`, list('List')],
  ['org.apache.flink.runtime.state.ArrayListSerializerSnapshot', list('ArrayList')],
  [`${BASE}.SetSerializerSnapshot`, composite(1, (nested) => ({ kind: 'set', element: at(nested, 0) }))],
  [`${BASE}.MapSerializerSnapshot`, map],
  [`${BASE}.GenericArraySerializerSnapshot`, composite(1, (nested, { name }) => ({ kind: 'array', component: name, element: at(nested, 0) }), named)],
  [`${RUNTIME}.TupleSerializerSnapshot`, composite(null, (nested) => ({ kind: 'record', name: `Tuple${nested.length}`, fields: numbered(nested, 'f') }), named)],
  [`${RUNTIME}.RowSerializer$RowSerializerSnapshot`, composite(null, (fields, { flag }) => ({ kind: 'row', hasRowKind: flag, fields }), readRowOuter)],
  [`${RUNTIME}.NullableSerializer$NullableSerializerSnapshot`, composite(1, (nested, { number }) => ({ kind: 'nullable', padding: number, element: at(nested, 0) }), readNullableOuter)],
  [`${RUNTIME}.JavaEitherSerializerSnapshot`, either('Either', [1, 0], ['left', 'right'])],
  ['org.apache.flink.runtime.state.ttl.TtlStateFactory$TtlSerializerSnapshot', composite(2, (nested) => ({ kind: 'ttl', value: at(nested, 1) }))],
  [`${STREAMING}.api.operators.TimerSerializerSnapshot`, composite(2, (nested) => ({ kind: 'timer', key: at(nested, 0), namespace: at(nested, 1) }))],
  [`${STREAMING}.api.datastream.CoGroupedStreams$UnionSerializerSnapshot`, either('TaggedUnion', [1, 2], ['one', 'two'])],
  [`${STREAMING}.api.operators.co.IntervalJoinOperator$BufferEntrySerializerSnapshot`, record('BufferEntry', [['joined', BOOLEAN], ['element', 0]])],
  [`${STREAMING}.runtime.streamrecord.StreamElementSerializer$StreamElementSerializerSnapshot`, composite(1, (nested) => ({ kind: 'stream-element', value: at(nested, 0) }))],
  [
    `${STREAMING}.api.functions.sink.TwoPhaseCommitSinkFunction$StateSerializerSnapshot`,
    composite(2, (nested, { flag }) => ({ kind: 'transactions', transaction: at(nested, 0), context: at(nested, 1), mayBeNull: flag }), readTransactionsOuter),
  ],
  ...scala('ScalaOption', composite(1, (nested) => ({ kind: 'optional', element: at(nested, 0) }))),
  ...scala('ScalaEither', either('Either', [1, 0], ['left', 'right'])),
  ...scala('ScalaTry', either('Try', [1, 0], ['success', 'failure'])),
  ...scala('ScalaCaseClass', composite(null, (nested, { name }) => ({ kind: 'record', name: shortName(name), fields: numbered(nested, '_', 1) }), named)),
  [`${SQL}.ExternalSerializer$ExternalSerializerSnapshot`, wrapper(readExternalOuter)],
  [`${SQL}.RawValueDataSerializer$RawValueDataSerializerSnapshot`, composite(1, () => ({ kind: 'sql', type: { root: 'RAW', precision: 0, scale: 0, children: [] } }))],
  [`${SQL}.LinkedListSerializer$LinkedListSerializerSnapshot`, composite(1, (nested, { flag }) => ({ kind: 'linked-list', element: at(nested, 0), hasNullMask: flag }), readLinkedListOuter)],
  [`${SQL}.WindowKeySerializer$WindowKeySerializerSnapshot`, record('WindowKey', [['window', LONG], ['key', 0]])],
  ['org.apache.flink.table.dataview.ListViewSerializerSnapshot', wrapper()],
  ['org.apache.flink.table.dataview.MapViewSerializerSnapshot', wrapper()],
  [`${CEP}.sharedbuffer.NodeId$NodeIdSerializer$NodeIdSerializerSnapshot`, composite(1, (nested) => ({ kind: 'optional', element: nodeId(at(nested, 0)) }))],
  [`${CEP}.sharedbuffer.LockableTypeSerializerSnapshot`, record('Lockable', [['references', INT], ['element', 0]])],
  [`${CEP}.sharedbuffer.Lockable$LockableTypeSerializerSnapshot`, record('Lockable', [['references', INT], ['element', 0]])],
  [`${CEP}.sharedbuffer.SharedBufferEdge$SharedBufferEdgeSerializer$SharedBufferEdgeSerializerSnapshot`, record('Edge', [['target', 0], ['version', 1]])],
  [`${CEP}.sharedbuffer.SharedBufferNodeSerializerSnapshotV2`, composite(1, (nested) => ({ kind: 'list', name: 'Edges', element: lockedEdge(at(nested, 0)) }))],
  [
    `${CEP}.NFAStateSerializerSnapshot`,
    composite(3, (nested, { flag }) => ({ kind: 'nfa-state', version: at(nested, 0), node: at(nested, 1), event: at(nested, 2), hasPreviousTimestamp: flag }), readNfaOuter),
  ],
])

const nodeId = (event: TypeInfo): TypeInfo => ({ kind: 'record', name: 'NodeId', fields: [{ name: 'event', type: event }, { name: 'page', type: STRING }] })

/** A serializer that is a Lockable's already is taken as it is. */
const lockedEdge = (edge: TypeInfo): TypeInfo =>
  edge.kind === 'record' && edge.name === 'Lockable' ? edge : { kind: 'record', name: 'Lockable', fields: [{ name: 'references', type: INT }, { name: 'element', type: edge }] }
