/**
 * What a checkpoint is and when it may be deleted: the last part of `_metadata` since version 4. Flink: CheckpointProperties
 * (serialVersionUID 2), CheckpointType, SavepointType, CheckpointRetentionPolicy (behaviour 5.1, 5.5).
 */
import type { SavepointFormat } from '../model/checkpoint.ts'
import type { CheckpointingSettings } from '../model/job-graph.ts'
import type { DataInput } from '../state/serializers/data-input.ts'
import type { DataOutput } from '../state/serializers/data-output.ts'
import { FormatError } from '../state/serializers/format-error.ts'
import { BOOLEAN_TYPE, writeJavaObject } from './java-object-stream.ts'
import type { JavaClass, JavaObject, JavaValue } from './java-object-stream.ts'
import { readJavaStream } from './types/java-object-reader.ts'
import type { JavaInstance, JavaNode } from './types/java-object-reader.ts'

export interface CheckpointProperties {
  readonly discardCancelled: boolean
  readonly discardFailed: boolean
  readonly discardFinished: boolean
  readonly discardSubsumed: boolean
  readonly discardSuspended: boolean
  readonly forced: boolean
  readonly unclaimed: boolean
  readonly type:
    | { readonly kind: 'checkpoint'; readonly name: string; readonly sharingFilesStrategy: string }
    | { readonly kind: 'savepoint'; readonly name: string; readonly formatType: string; readonly postCheckpointAction: string }
}

/** Properties of a checkpoint under a retention policy. */
export function checkpointProperties(retention: CheckpointingSettings['retention'], type: 'CHECKPOINT' | 'FULL_CHECKPOINT'): CheckpointProperties {
  const keepWhenCancelled = retention === 'RETAIN_ON_CANCELLATION'
  return {
    discardCancelled: !keepWhenCancelled,
    discardFailed: retention === 'NO_EXTERNALIZED_CHECKPOINTS',
    discardFinished: true,
    discardSubsumed: true,
    discardSuspended: !keepWhenCancelled,
    forced: false,
    unclaimed: false,
    type:
      type === 'CHECKPOINT'
        ? { kind: 'checkpoint', name: 'Checkpoint', sharingFilesStrategy: 'FORWARD_BACKWARD' }
        : { kind: 'checkpoint', name: 'Full Checkpoint', sharingFilesStrategy: 'FORWARD' },
  }
}

export interface SavepointKind {
  readonly format: SavepointFormat
  /** It passed the limit of concurrent checkpoints. */
  readonly forced: boolean
  /** Null: the job went on. */
  readonly stop: 'SUSPEND' | 'TERMINATE' | null
}

const STOP_NAMES = { SUSPEND: 'Suspend Savepoint', TERMINATE: 'Terminate Savepoint' } as const

/** A savepoint knows no retention policy: no job ever deletes it. */
export const savepointProperties = ({ format, forced, stop }: SavepointKind): CheckpointProperties => ({
  discardCancelled: false, discardFailed: false, discardFinished: false, discardSubsumed: false, discardSuspended: false,
  forced, unclaimed: false,
  type: { kind: 'savepoint', name: stop === null ? 'Savepoint' : STOP_NAMES[stop], formatType: format, postCheckpointAction: stop ?? 'NONE' },
})

const FLAGS = ['discardCancelled', 'discardFailed', 'discardFinished', 'discardSubsumed', 'discardSuspended', 'forced', 'unclaimed'] as const

const CHECKPOINT = 'org.apache.flink.runtime.checkpoint'
const jvmType = (name: string): string => `L${name.replaceAll('.', '/')};`
const enumClass = (name: string): JavaClass => ({ name, serialVersionUid: 0n, isEnum: true, fields: [], superClass: JAVA_ENUM })
const JAVA_ENUM: JavaClass = { name: 'java.lang.Enum', serialVersionUid: 0n, isEnum: true, fields: [], superClass: null }
const STRING_TYPE = jvmType('java.lang.String')
const SHARING_CLASS = enumClass(`${CHECKPOINT}.SnapshotType$SharingFilesStrategy`)
const FORMAT_CLASS = enumClass('org.apache.flink.core.execution.SavepointFormatType')
const ACTION_CLASS = enumClass(`${CHECKPOINT}.SavepointType$PostCheckpointAction`)

const CHECKPOINT_TYPE_CLASS: JavaClass = {
  name: `${CHECKPOINT}.CheckpointType`,
  serialVersionUid: -0x2921b0fcfa51e2c6n,
  isEnum: false,
  fields: [
    { name: 'name', type: STRING_TYPE },
    { name: 'sharingFilesStrategy', type: jvmType(SHARING_CLASS.name) },
  ],
  superClass: null,
}
const SAVEPOINT_TYPE_CLASS: JavaClass = {
  name: `${CHECKPOINT}.SavepointType`,
  serialVersionUid: -0x5f782cf75ba7eb48n,
  isEnum: false,
  fields: [
    { name: 'formatType', type: jvmType(FORMAT_CLASS.name) },
    { name: 'name', type: STRING_TYPE },
    { name: 'postCheckpointAction', type: jvmType(ACTION_CLASS.name) },
  ],
  superClass: null,
}
const PROPERTIES_CLASS: JavaClass = {
  name: `${CHECKPOINT}.CheckpointProperties`,
  serialVersionUid: 2n,
  isEnum: false,
  fields: [...FLAGS.map((name) => ({ name, type: BOOLEAN_TYPE })), { name: 'checkpointType', type: jvmType(`${CHECKPOINT}.SnapshotType`) }],
  superClass: null,
}

/** Writes the properties as Java would; null as the State Processor API does it. */
export function writeCheckpointProperties(out: DataOutput, properties: CheckpointProperties | null): void {
  if (properties === null) return writeJavaObject(out, null)
  const values: JavaValue[] = FLAGS.map((name) => properties[name])
  writeJavaObject(out, { kind: 'object', class: PROPERTIES_CLASS, values: [...values, typeObject(properties.type)] })
}

function typeObject(type: CheckpointProperties['type']): JavaObject {
  if (type.kind === 'checkpoint') {
    return { kind: 'object', class: CHECKPOINT_TYPE_CLASS, values: [type.name, { kind: 'enum', class: SHARING_CLASS, constant: type.sharingFilesStrategy }] }
  }
  const format: JavaValue = { kind: 'enum', class: FORMAT_CLASS, constant: type.formatType }
  const action: JavaValue = { kind: 'enum', class: ACTION_CLASS, constant: type.postCheckpointAction }
  return { kind: 'object', class: SAVEPOINT_TYPE_CLASS, values: [format, type.name, action] }
}

export function readCheckpointProperties(input: DataInput): CheckpointProperties | null {
  const start = input.position
  const object = readJavaStream(input)
  if (object === null) return null
  if (!isInstanceOf(object, PROPERTIES_CLASS.name)) throw input.errorAt(start, `a ${PROPERTIES_CLASS.name}`, 'found something else')
  const [discardCancelled, discardFailed, discardFinished, discardSubsumed, discardSuspended, forced, unclaimed] = FLAGS.map((name) => {
    const value = object.fields.get(name)
    if (typeof value !== 'boolean') throw new FormatError(`offset ${start}: ${name} of the checkpoint properties is no boolean`)
    return value
  }) as [boolean, boolean, boolean, boolean, boolean, boolean, boolean]
  const type = readType(object.fields.get('checkpointType') ?? null, start)
  return { discardCancelled, discardFailed, discardFinished, discardSubsumed, discardSuspended, forced, unclaimed, type }
}

function readType(value: JavaNode, start: number): CheckpointProperties['type'] {
  if (isInstanceOf(value, CHECKPOINT_TYPE_CLASS.name)) {
    return { kind: 'checkpoint', name: textOf(value.fields.get('name')), sharingFilesStrategy: constantOf(value.fields.get('sharingFilesStrategy')) }
  }
  if (isInstanceOf(value, SAVEPOINT_TYPE_CLASS.name)) {
    const formatType = constantOf(value.fields.get('formatType'))
    return { kind: 'savepoint', name: textOf(value.fields.get('name')), formatType, postCheckpointAction: constantOf(value.fields.get('postCheckpointAction')) }
  }
  throw new FormatError(`offset ${start}: the checkpoint properties name neither a CheckpointType nor a SavepointType`)
}

const isInstanceOf = (node: JavaNode, className: string): node is JavaInstance => node !== null && typeof node === 'object' && node.kind === 'instance' && node.className === className
const textOf = (node: JavaNode | undefined): string => (typeof node === 'string' ? node : '')
const constantOf = (node: JavaNode | undefined): string => (node !== null && typeof node === 'object' && node.kind === 'enum' ? node.constant : '')
