/**
 * What would happen if a job were started from a snapshot, told before anything starts. It runs what a start runs: the JobManager's own check
 * (restore-check.ts), its coordinators with their stored state, and then, for every subtask, its operators with the types of the keyed state and the
 * elements of the operator state that they would be given. Only the entries of keyed state are not read. A plan (savepoint/read-plan.ts): a slice is
 * named by the absolute path of its file; the driver answers null for one that is not there.
 */
import type { JobGraph, OperatorDescription } from '../model/job-graph.ts'
import { noSuchPartition } from '../model/outside.ts'
import type { SavepointRestoreSettings } from '../model/restore.ts'
import type { OperatorVerdict, RestoreVerdict, StateVerdict } from '../model/restore-verdict.ts'
import type { KeyedStateHandle, OperatorRestoreState, StreamHandle } from '../model/state-handles.ts'
import { handleSize } from '../model/state-handles.ts'
import { createCoordinator } from '../operators/create-coordinator.ts'
import { createOperator } from '../operators/create-operator.ts'
import type { Operator } from '../operators/operator.ts'
import type { Compile } from '../operators/user-function.ts'
import { compileBuiltin } from '../operators/functions/compile-builtin.ts'
import { restorable } from '../savepoint/metadata-reader.ts'
import type { Savepoint } from '../savepoint/model.ts'
import type { Plan } from '../savepoint/read-plan.ts'
import { readKeyedFileHeader } from '../state/heap/keyed-file-header.ts'
import type { KeyedFileHeader } from '../state/heap/keyed-file-header.ts'
import { DataInput } from '../state/serializers/data-input.ts'
import { FormatError } from '../state/serializers/format-error.ts'
import { lengthProblem, stateFilePath, streamsOf, unreadableFile } from '../state/state-file.ts'
import { ExecutionGraph } from './execution-graph.ts'
import type { ExecutionJobVertex } from './execution-graph.ts'
import { coordinatorProblem } from './operator-coordinators.ts'
import { checkRestore } from './restore-check.ts'
import { OperatorProbe } from './restore-probe.ts'
import { ownStates, stateVerdicts, StoredStates } from './restore-states.ts'
import type { OperatorFindings } from './restore-states.ts'
import { operatorVerdicts, verdictNotes } from './restore-operators.ts'
import type { RestoredState } from './state-assignment.ts'

export interface VerdictInput {
  readonly savepoint: Savepoint
  /** Directory of `_metadata`: relative handles are resolved against it. */
  readonly location: string
  readonly graph: JobGraph
  readonly settings: Omit<SavepointRestoreSettings, 'path'>
  /** Absent: the operators of the catalogue. */
  readonly createOperator?: (description: OperatorDescription, compile: Compile) => Operator
}

/** A header is read by the first slice of this size, or by four times that, and so on. */
const HEADER_SLICE = 64 * 1024
const HEADER_MAX = 16 * 1024 * 1024
/** Of operator state, which is read whole. */
const OPERATOR_STATE_MAX = 64 * 1024 * 1024

/** Throws nothing: what cannot be read is a refusal. */
export function* restoreVerdict(input: VerdictInput): Plan<RestoreVerdict> {
  const { savepoint, location, graph, settings } = input
  const metadata = restorable(savepoint)
  const executions = new ExecutionGraph(graph, { now: 0, event: () => undefined }, 0)
  const checked = checkRestore(executions, { location, metadata }, settings)
  const problem = checked.ok ? coordinatorProblem(graph, createCoordinator, checked.value.checkpoint) : checked.error
  const findings = new Map<string, OperatorFindings>()
  let refusal = problem
  if (checked.ok && problem === null) {
    const probing = new Probing(checked.value.state, location, graph.topics, input.createOperator ?? createOperator)
    for (const owner of executions.vertices) refusal = (yield* probing.probeVertex(owner, findings)) ?? refusal
  }
  const operators: readonly OperatorVerdict[] = operatorVerdicts({ executions, metadata, settings, findings, startProblem: problem })
  const notes = verdictNotes(metadata, operators, graph, settings, location)
  const accepted = refusal === null
  return { accepted, refusal, refusedAt: accepted ? null : problem === null ? 'task' : 'start', operators, notes }
}

/** Reads each file once, however many subtasks want it. */
class Probing {
  private readonly state: RestoredState
  private readonly location: string
  private readonly topics: JobGraph['topics']
  private readonly create: NonNullable<VerdictInput['createOperator']>
  private readonly headers = new Map<string, KeyedFileHeader | string>()
  private readonly contents = new Map<string, Uint8Array | string>()
  private readonly lengths = new Map<string, string | null>()

  constructor(state: RestoredState, location: string, topics: JobGraph['topics'], create: NonNullable<VerdictInput['createOperator']>) {
    this.state = state
    this.location = location
    this.topics = topics
    this.create = create
  }

  /** Null, or what the first of its tasks fails with. */
  *probeVertex(owner: ExecutionJobVertex, findings: Map<string, OperatorFindings>): Plan<string | null> {
    let refusal: string | null = null
    for (let subtask = 0; subtask < owner.vertex.parallelism; subtask++) {
      const restore = this.state.forTask(owner.vertex.id, subtask)
      if (restore.isFinished === true) return null
      for (const description of owner.vertex.chain) {
        const given = restore.operators.find(({ operatorId }) => operatorId === description.operatorId) ?? null
        const found = yield* this.probeOperator(description, owner, subtask, given)
        refusal ??= found.refusal
        findings.set(description.operatorId, merged(findings.get(description.operatorId), found))
      }
    }
    return refusal
  }

  private *probeOperator(description: OperatorDescription, owner: ExecutionJobVertex, subtask: number, given: OperatorRestoreState | null): Plan<OperatorFindings> {
    const { parallelism } = owner.vertex
    const probe = new OperatorProbe(description, { subtask, parallelism, maxParallelism: owner.maxParallelism })
    const stored = new StoredStates()
    let refusal: string | null = null
    try {
      if (given !== null) yield* this.give(probe, given, stored)
    } catch (error) {
      refusal = messageOf(error)
    }
    try {
      const operator = this.create(description, compileBuiltin)
      operator.open(probe, given === null ? null : 0)
      this.answer(operator, probe)
    } catch (error) {
      refusal ??= messageOf(error)
    }
    refusal ??= probe.failure
    return { refusal, states: stateVerdicts(stored, ownStates(description, probe), refusal) }
  }

  /** A topic of the job may have fewer partitions than the one that the snapshot was reading. Topics that the job does not name are the outside world's affair. */
  private answer(operator: Operator, probe: OperatorProbe): void {
    for (const [request, { topic, partition }] of probe.fetches) {
      const known = this.topics.find(({ name }) => name === topic)
      if (known !== undefined && partition >= known.partitions) operator.onOutsideReply(request, noSuchPartition(topic, partition))
    }
  }

  /** In the order of a task: first the files, then the keyed state, then the operator state. */
  private *give(probe: OperatorProbe, given: OperatorRestoreState, stored: StoredStates): Plan<void> {
    for (const handle of given.keyed) {
      const header = yield* this.headerOf(handle)
      if (typeof header !== 'string') stored.addKeyed(header)
    }
    for (const handle of given.operator) {
      const bytes = yield* this.contentOf(handle.stream)
      if (typeof bytes !== 'string') stored.addLists(handle, bytes)
    }
    for (const stream of streamsOf(given)) {
      const problem = yield* this.fileProblem(stream)
      if (problem !== null) throw new Error(problem)
    }
    for (const handle of given.keyed) probe.restoreKeyed(orThrow(yield* this.headerOf(handle)))
    for (const handle of given.operator) probe.operatorState.restore(handle, orThrow(yield* this.contentOf(handle.stream)))
  }

  /** Null: the file is there in its length. */
  private *fileProblem(stream: StreamHandle): Plan<string | null> {
    const path = stateFilePath(stream, this.location)
    if (path === null) return null
    const key = `${path} ${handleSize(stream)}`
    const known = this.lengths.get(key)
    if (known !== undefined) return known
    const size = handleSize(stream)
    const offset = Math.max(0, size - 1)
    const end = yield { name: path, offset, length: 2 }
    const problem = end === null ? unreadableFile(path, 'NOT_FOUND') : lengthProblem(path, stream, end.length === 0 && size > 0 ? offset : offset + end.length)
    this.lengths.set(key, problem)
    return problem
  }

  private *headerOf({ stream }: KeyedStateHandle): Plan<KeyedFileHeader | string> {
    const key = stream.kind === 'bytes' ? `inline ${stream.name}` : (stateFilePath(stream, this.location) as string)
    let header = this.headers.get(key)
    if (header === undefined) this.headers.set(key, (header = yield* this.readHeader(stream)))
    return header
  }

  private *readHeader(stream: StreamHandle): Plan<KeyedFileHeader | string> {
    const size = handleSize(stream)
    for (let length = HEADER_SLICE; ; length *= 4) {
      const bytes = yield* this.slice(stream, length)
      if (typeof bytes === 'string') return bytes
      const isWhole = length >= Math.min(size, HEADER_MAX)
      try {
        return readKeyedFileHeader(new DataInput(bytes))
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        if (isWhole) return error.message
      }
    }
  }

  private *contentOf(stream: StreamHandle): Plan<Uint8Array | string> {
    const key = stream.kind === 'bytes' ? `inline ${stream.name}` : (stateFilePath(stream, this.location) as string)
    let content = this.contents.get(key)
    if (content === undefined) this.contents.set(key, (content = yield* this.slice(stream, Math.min(handleSize(stream), OPERATOR_STATE_MAX))))
    return content
  }

  private *slice(stream: StreamHandle, length: number): Plan<Uint8Array | string> {
    if (stream.kind === 'bytes') return stream.bytes.subarray(0, length)
    const path = stateFilePath(stream, this.location) as string
    return (yield { name: path, offset: 0, length }) ?? unreadableFile(path, 'NOT_FOUND')
  }
}

function merged(before: OperatorFindings | undefined, now: OperatorFindings): OperatorFindings {
  if (before === undefined) return now
  // A subtask that is given nothing knows the fewest states.
  const rank = (state: StateVerdict): number => (state.outcome === 'incompatible' ? 2 : state.outcome === 'new' ? 0 : 1)
  const states = new Map(before.states.map((state) => [state.name, state]))
  for (const state of now.states) {
    const known = states.get(state.name)
    if (known === undefined || rank(state) > rank(known)) states.set(state.name, state)
  }
  return { refusal: before.refusal ?? now.refusal, states: [...states.values()] }
}

function orThrow<T>(read: T | string): T {
  if (typeof read === 'string') throw new Error(read)
  return read
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
