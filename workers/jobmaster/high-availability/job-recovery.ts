/**
 * What a new leader does first: finds the job that an earlier one left, reads its completed checkpoints back, and sweeps what no one needs.
 * Flink: DefaultDispatcherRunner, JobMaster with a recovered CompletedCheckpointStore (behaviour 12.3).
 *
 *   list /ha/ ─► read job-graph, checkpoints, counter ─► list the job's directory, read each `_metadata` ─► sweep ─► outcome
 */
import { must } from '../../base/assert.ts'
import type { CompletedCheckpoint } from '../../coordinator/completed-checkpoint.ts'
import { metadataPath } from '../../coordinator/completed-checkpoint.ts'
import { OF_CHECKPOINTS, isAddressable, jobDirectoryOf } from '../../coordinator/checkpoint-directory.ts'
import { filesOf } from '../../coordinator/operator-states.ts'
import type { CheckpointId, JobId } from '../../model/ids.ts'
import type { FileEntry, StorageResult } from '../../model/storage.ts'
import { isAmong } from '../../model/storage.ts'
import { readMetadata } from '../../savepoint/metadata-reader.ts'
import type { JobManagerOptions } from '../job-manager-options.ts'
import type { MachineContext } from '../machine-context.ts'
import { HA_ROOT, checkpointsPath, counterPath, jobGraphPath, jobOfPath, parseFile, snapshotPath, snapshotPrefix } from './ha-files.ts'
import type { StoredCounter, StoredJob, StoredPointer } from './ha-files.ts'
import type { RecoveryStep } from './recovery-step.ts'

export interface RecoveredJob {
  readonly job: JobId
  readonly stored: StoredJob
  readonly counter: StoredCounter
  /** Oldest first; only those that read back. */
  readonly checkpoints: readonly CompletedCheckpoint[]
  readonly unreadable: readonly { readonly checkpointId: CheckpointId; readonly message: string }[]
}

export type RecoveryOutcome =
  | { readonly type: 'under-way' }
  | { readonly type: 'no-job' }
  | { readonly type: 'recovered'; readonly job: RecoveredJob }
  /** What is stored stays as it is. */
  | { readonly type: 'failed'; readonly job: JobId | null; readonly message: string }

const UNDER_WAY: RecoveryOutcome = { type: 'under-way' }

export class JobRecovery {
  private readonly context: MachineContext
  private readonly options: JobManagerOptions
  private job: JobId | null = null
  private readonly files = new Map<string, Uint8Array>()
  private awaited = 0
  private phase: 'jobs' | 'store' | 'checkpoints' = 'jobs'
  private stored: StoredJob | null = null
  private counter: StoredCounter = { nextCheckpointId: 1, nextAttempt: 0 }
  private pointers: readonly StoredPointer[] = []
  /** Null: the job names none. */
  private directory: string | null = null
  private entries: readonly FileEntry[] = []
  private storePaths: readonly string[] = []
  private hasOwnDirectory = true
  private readonly readFailures = new Map<string, string>()

  constructor(context: MachineContext, options: JobManagerOptions) {
    this.context = context
    this.options = options
  }

  begin(): void {
    this.context.storage({ type: 'list', prefix: HA_ROOT }, { owner: 'recovery', step: { kind: 'jobs-listed' } })
  }

  onStorage(step: RecoveryStep, result: StorageResult): RecoveryOutcome {
    if (step.kind === 'jobs-listed') return this.onJobs(result)
    this.awaited--
    if (step.kind === 'directory-listed') {
      if (!result.ok) return this.fail(`The directory ${this.directory} cannot be listed: ${result.message}`)
      this.entries = result.entries ?? []
    } else if (result.ok && result.bytes !== undefined) this.files.set(step.path, result.bytes)
    else this.readFailures.set(step.path, result.ok ? 'no bytes' : result.message)
    if (this.awaited > 0) return UNDER_WAY
    return this.phase === 'store' ? this.onStore() : this.onCheckpoints()
  }

  private onJobs(result: StorageResult): RecoveryOutcome {
    if (!result.ok) return this.fail(`The high-availability store cannot be read: ${result.message}`)
    const paths = (result.entries ?? []).map((entry) => entry.path)
    this.job = paths.map(jobOfPath).find((job) => job !== null) ?? null
    if (this.job === null) return { type: 'no-job' }
    this.phase = 'store'
    this.storePaths = paths
    for (const path of [jobGraphPath(this.job), checkpointsPath(this.job), counterPath(this.job)]) {
      if (paths.includes(path)) this.read(path)
    }
    return UNDER_WAY
  }

  private onStore(): RecoveryOutcome {
    const job = must(this.job, 'the job that is recovered')
    const failure = [...this.readFailures][0]
    if (failure !== undefined) return this.fail(`${failure[0]} cannot be read: ${failure[1]}`)
    try {
      this.stored = parseFile<StoredJob>(must(this.files.get(jobGraphPath(job)), 'job graph'))
      const counter = this.files.get(counterPath(job))
      if (counter !== undefined) this.counter = parseFile<StoredCounter>(counter)
      const pointers = this.files.get(checkpointsPath(job))
      if (pointers !== undefined) this.pointers = parseFile<readonly StoredPointer[]>(pointers)
    } catch (error) {
      return this.fail(`The high-availability store of job ${job} is damaged: ${String(error)}`)
    }
    const { graph, problems } = this.options.compileJob(this.stored.document)
    if (graph === null) return this.fail(`The stored document of job ${job} does not compile any more: ${problems[0]?.message ?? 'no graph'}`)
    this.directory = jobDirectoryOf(graph, job)
    this.phase = 'checkpoints'
    if (this.directory !== null) {
      this.awaited++
      this.context.storage({ type: 'list', prefix: `${this.directory}/` }, { owner: 'recovery', step: { kind: 'directory-listed' } })
    }
    this.hasOwnDirectory = graph.settings.checkpointing.createSubdir
    for (const pointer of this.pointers) this.read(this.pathOf(pointer))
    return this.awaited === 0 ? this.onCheckpoints() : UNDER_WAY
  }

  private onCheckpoints(): RecoveryOutcome {
    const checkpoints: CompletedCheckpoint[] = []
    const unreadable: { checkpointId: CheckpointId; message: string }[] = []
    for (const pointer of this.pointers) {
      const loaded = this.load(pointer)
      if (typeof loaded === 'string') unreadable.push({ checkpointId: pointer.checkpointId, message: loaded })
      else checkpoints.push(loaded)
    }
    if (checkpoints.length === 0 && unreadable.length > 0) {
      return this.fail(`Could not read any of the ${unreadable.length} completed checkpoints. ${unreadable.at(-1)?.message ?? ''}`)
    }
    this.sweep(checkpoints)
    const latest = this.pointers.at(-1)?.checkpointId ?? 0
    const counter = { ...this.counter, nextCheckpointId: Math.max(this.counter.nextCheckpointId, latest + 1) }
    const job = must(this.job, 'the job that is recovered')
    const stored = must(this.stored, 'its document')
    return { type: 'recovered', job: { job, stored, counter, checkpoints, unreadable } }
  }

  /** The checkpoint, if every file that it names is there in its full length; else what is wrong. */
  private load({ checkpointId, location, isSavepoint, claimMode }: StoredPointer): CompletedCheckpoint | string {
    const path = this.pathOf({ checkpointId, location })
    const bytes = this.files.get(path)
    if (bytes === undefined) return `${path} cannot be read: ${this.readFailures.get(path) ?? 'not there'}`
    try {
      // What the job was started from may hold state of operators that it has not got, of any kind.
      const operatorStates = claimMode === undefined ? this.options.metadata.decode(bytes).operatorStates : readMetadata(bytes).operators
      const checkpoint: CompletedCheckpoint = {
        checkpointId, location, operatorStates,
        ...(claimMode === undefined ? {} : { isSavepoint: isSavepoint === true, isUnclaimed: claimMode !== 'CLAIM', claimMode }),
      }
      const missing = filesOf(checkpoint).find((file) => !this.isThere(file.path, file.size))
      return missing === undefined ? checkpoint : `${missing.path} is missing or cut short`
    } catch (error) {
      return `${path} is damaged: ${String(error)}`
    }
  }

  private isThere(path: string, size: number | null): boolean {
    if (this.directory === null || !path.startsWith(`${this.directory}/`)) return true
    const entry = this.entries.find((candidate) => candidate.path === path)
    return entry !== undefined && (size === null || entry.size === size)
  }

  /** Of `_metadata`, or of what stands for it in the high-availability store. */
  private pathOf({ checkpointId, location }: StoredPointer): string {
    return isAddressable(location) ? metadataPath(location) : snapshotPath(must(this.job, 'the job that is recovered'), checkpointId)
  }

  /**
   * Whatever lies where files of checkpoints do in the job's directory, or as a snapshot in its store, and belongs to no checkpoint of the store
   * was left by a crash. An unreadable one is kept; and in a directory that others may use everything is.
   */
  private sweep(checkpoints: readonly CompletedCheckpoint[]): void {
    const { job, directory } = this
    if (job === null) return
    const kept = this.pointers.map(({ location }) => `${location}/`)
    const named = new Set([...checkpoints.flatMap((checkpoint) => filesOf(checkpoint).map(({ path }) => path)), ...this.pointers.map((pointer) => this.pathOf(pointer))])
    const files = directory === null || !this.hasOwnDirectory ? [] : this.entries.map((entry) => entry.path).filter((path) => isAmong(OF_CHECKPOINTS, path.slice(directory.length + 1)))
    const snapshots = this.storePaths.filter((path) => path.startsWith(snapshotPrefix(job)))
    const stray = [...files, ...snapshots].filter((path) => !named.has(path) && !kept.some((below) => path.startsWith(below)))
    if (stray.length === 0) return
    this.context.storage({ type: 'transact', writes: [], deletes: stray, durability: 'relaxed' }, { owner: 'nobody' })
  }

  private read(path: string): void {
    this.awaited++
    this.context.storage({ type: 'read', path }, { owner: 'recovery', step: { kind: 'file-read', path } })
  }

  private fail(message: string): RecoveryOutcome {
    return { type: 'failed', job: this.job, message }
  }
}
