/**
 * Opens any snapshot of Flink's: from `_metadata` and the names and sizes of the files beside it to a plain view of everything in it. A plan
 * (read-plan.ts): it asks for slices and never waits. Time and memory are bounded by `limits`, whatever the bytes say: every count is checked
 * against the bytes that are left, nesting has a depth, and what is made of the bytes a budget. Flink: the State Processor API.
 */
import type { OffsetView, OperatorView, SnapshotView, SubtaskView } from '../model/snapshot-view.ts'
import { FormatError } from '../state/serializers/format-error.ts'
import type { CheckpointProperties } from './checkpoint-properties.ts'
import { handleViews } from './handle-views.ts'
import type { OperatorRecord, Savepoint, SubtaskRef } from './model.ts'
import { everyGroup, openKeyed, openRawKeyed } from './open-keyed.ts'
import type { WantedGroup } from './open-keyed.ts'
import { openOperatorState } from './open-operator-state.ts'
import { SnapshotFiles } from './read-plan.ts'
import type { Plan } from './read-plan.ts'
import { salvageSavepoint } from './savepoint-reader.ts'
import { coordinatorView } from './source-offsets.ts'
import { StateCollector } from './state-collector.ts'
import type { EntryCollector } from './state-collector.ts'
import { toHex, ValueBudget } from './types/value-context.ts'

export interface OpenLimits {
  /** Entries shown per state. */
  readonly sample: number
  /** Bytes read of files beside `_metadata`. */
  readonly bytes: number
  /** Values decoded, about one for every field. */
  readonly values: number
}

export const DEFAULT_LIMITS: OpenLimits = { sample: 100, bytes: 256 * 1024 * 1024, values: 2_000_000 }
const PROBLEMS_MAX = 500
const METADATA_NAME = '_metadata'

/** What the views are made from, kept for searching. */
export interface OpenedSnapshot {
  readonly savepoint: Savepoint
  readonly view: SnapshotView
}

type Problem = SnapshotView['problems'][number]

/**
 * `sizes` names the files of the directory (`_metadata` may be among them; folders with `/`). Throws `FormatError` only for a `_metadata` of
 * which not even the checkpoint id can be read: any other problem is in the view.
 */
export function* openSnapshot(metadata: Uint8Array, sizes: ReadonlyMap<string, number>, limits: OpenLimits = DEFAULT_LIMITS): Plan<OpenedSnapshot> {
  const { savepoint, damage } = salvageSavepoint(metadata)
  const reading = new Reading(new SnapshotFiles(sizes, limits.bytes), new ValueBudget(limits.values))
  if (damage !== null) reading.report('', null, `_metadata is damaged or cut short, and shown as far as it could be read: ${damage}`)
  const operators: OperatorView[] = []
  for (const operator of savepoint.operators) operators.push(yield* openOperator(operator, reading, limits.sample))
  return { savepoint, view: snapshotView(savepoint, metadata.length, operators, reading) }
}

/** What is shared by all parts of one reading. */
export class Reading {
  readonly files: SnapshotFiles
  readonly budget: ValueBudget
  readonly problems: Problem[] = []

  constructor(files: SnapshotFiles, budget: ValueBudget) {
    this.files = files
    this.budget = budget
  }

  report(operatorId: string, subtask: number | null, message: string): void {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push({ operatorId, subtask, message })
    else if (this.problems.length === PROBLEMS_MAX) this.problems.push({ operatorId, subtask: null, message: 'there are more problems, which are not listed' })
  }
}

function* openOperator(operator: OperatorRecord, reading: Reading, sample: number): Plan<OperatorView> {
  const collector = new StateCollector(sample)
  const offsets: OffsetView[] = []
  const subtasks: SubtaskView[] = []
  for (const subtask of operator.subtasks) {
    const handles = handleViews(subtask, reading.files)
    subtasks.push({ index: subtask.index, isFinished: subtask.finished, handles, size: handles.reduce((sum, handle) => sum + handle.size, 0), reusedFrom: subtask.reusedFrom })
    yield* readSubtask(operator, subtask, reading, collector, (offset) => void offsets.push(offset))
  }
  const { operatorId, name, uid, parallelism, maxParallelism } = operator
  const coordinator = operator.coordinator === null ? null : coordinatorView(operator.coordinator.bytes)
  const size = subtasks.reduce((sum, subtask) => sum + subtask.size, coordinator?.size ?? 0)
  return { operatorId, name, uid, parallelism, maxParallelism, isFullyFinished: operator.fullyFinished, coordinator, offsets, states: collector.views(), subtasks, inFlight: inFlight(operator), size }
}

/** All state of a subtask. One part that cannot be read does not hide the others. */
export function* readSubtask(
  operator: OperatorRecord,
  subtask: SubtaskRef,
  reading: Reading,
  collector: EntryCollector,
  offset: (offset: OffsetView) => void,
  wantedGroup: WantedGroup = everyGroup,
): Plan<void> {
  const { files, budget } = reading
  const problem = (message: string): void => reading.report(operator.operatorId, subtask.index, message)
  const unread = (message: string): void => {
    collector.unread()
    problem(message)
  }
  const keyed = { files, operator, subtask: subtask.index, collector, budget, problem, wantedGroup }
  if (subtask.managedKeyed !== null) yield* guarded(openKeyed(subtask.managedKeyed, keyed), unread)
  if (subtask.rawKeyed !== null) yield* guarded(openRawKeyed(subtask.rawKeyed, keyed), unread)
  if (subtask.managedOperator !== null) {
    yield* guarded(openOperatorState(subtask.managedOperator, { files, subtask: subtask.index, collector, budget, problem, offset }), unread)
  }
}

function* guarded(plan: Plan<void>, unread: (message: string) => void): Plan<void> {
  try {
    yield* plan
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    unread(error.message)
  }
}

function inFlight(operator: OperatorRecord): OperatorView['inFlight'] {
  const count = { inputChannels: 0, outputChannels: 0, buffers: 0, size: 0 }
  for (const subtask of operator.subtasks) {
    for (const handle of [...subtask.input, ...subtask.output]) {
      count.size += handle.size
      for (const channel of handle.channels) count.buffers += channel.offsets.length
    }
    count.inputChannels += subtask.input.reduce((sum, handle) => sum + handle.channels.length, 0)
    count.outputChannels += subtask.output.reduce((sum, handle) => sum + handle.channels.length, 0)
  }
  return count
}

function snapshotView(savepoint: Savepoint, metadataSize: number, operators: readonly OperatorView[], reading: Reading): SnapshotView {
  const { files } = reading
  const places = operators.flatMap((operator) => operator.subtasks.flatMap((subtask) => subtask.handles.flatMap((handle) => [...(handle.place === null ? [] : [handle.place]), ...handle.files.map((file) => file.place)])))
  const shared = new Set(operators.flatMap((operator) => operator.subtasks.flatMap((subtask) => subtask.handles.flatMap((handle) => handle.files.filter((file) => file.isShared).map((file) => file.place.file)))))
  return {
    version: savepoint.version,
    writtenBy: writtenBy(savepoint.version),
    checkpointId: savepoint.checkpointId,
    metadataSize,
    properties: propertyList(savepoint.properties),
    masterStates: savepoint.masterStates.map(({ name, version, bytes }) => ({ name, version, size: bytes.length, hex: toHex(bytes) })),
    operators,
    files: [...files.sizes].filter(([name]) => name !== METADATA_NAME).map(([name, size]) => ({ name, size, references: files.references.get(name) ?? 0, isShared: shared.has(name) })),
    missing: [...files.missing],
    absolutePaths: places.filter((place) => place.where === 'absolute' || place.where === 'segment').length,
    size: operators.reduce((sum, operator) => sum + operator.size, 0),
    problems: reading.problems,
  }
}

const WRITERS: readonly string[] = ['', '', 'Flink 1.3 to 1.10', 'Flink 1.11 to 1.15', 'Flink 1.16 to 1.20', 'Flink 2.0', 'Flink 2.1 to 2.3', 'Flink after 2.3']
const writtenBy = (version: number): string => WRITERS[version] ?? ''

function propertyList(properties: CheckpointProperties | null): SnapshotView['properties'] {
  if (properties === null) return []
  const { type, ...flags } = properties
  const kind = type.kind === 'checkpoint' ? [['sharing of files', type.sharingFilesStrategy] as const] : ([['format', type.formatType], ['afterwards', type.postCheckpointAction]] as const)
  return [['type', type.name], ...kind, ...Object.entries(flags).map(([name, value]) => [name, String(value)] as const)]
}
