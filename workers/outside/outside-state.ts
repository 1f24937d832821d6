/** What the outside world holds: topics, sinks, fencing tokens. Changes by `apply` alone, which makes the journal complete. */
import { must, unreachable } from '../base/assert.ts'
import { cloneShared, type SharesStructure } from '../base/clone.ts'
import type { FencingToken, JobId } from '../model/ids.ts'
import type { TopicContent } from '../model/outside.ts'
import type { Value } from '../model/schema.ts'
import { AppendList } from './append-list.ts'
import { SNAPSHOT_VERSION, type JournalRecord, type OutsideSnapshot } from './journal.ts'
import { SinkStore } from './sink-store.ts'

/** What a topic began with: immutable, shared by all copies of a machine. Not in the journal: the host loads it again. */
class LoadedTopic implements SharesStructure {
  readonly partitions: readonly (readonly Value[])[]

  constructor(partitions: readonly (readonly Value[])[]) {
    this.partitions = partitions
  }

  [cloneShared](): LoadedTopic {
    return this
  }
}

export class OutsideState {
  private readonly loaded = new Map<string, LoadedTopic>()
  /** Rows appended since, by topic and partition. */
  private readonly appended = new Map<string, Map<number, AppendList<Value>>>()
  private readonly sinks = new Map<string, SinkStore>()
  private readonly tokens = new Map<JobId, FencingToken>()

  loadTopic(topic: TopicContent): void {
    this.loaded.set(topic.name, new LoadedTopic(topic.partitions))
  }

  /** Null: there is no such topic or partition. */
  endOffset(topic: string, partition: number): number | null {
    const rows = this.loaded.get(topic)?.partitions[partition]
    return rows === undefined ? null : rows.length + (this.appended.get(topic)?.get(partition)?.length ?? 0)
  }

  /** Rows of an existing partition from `offset` on, at most `limit`. */
  rowsFrom(topic: string, partition: number, range: { readonly offset: number; readonly limit: number }): Value[] {
    const first = must(this.loaded.get(topic)?.partitions[partition], `partition ${partition} of topic ${topic}`)
    const end = range.offset + range.limit
    const rows = first.slice(range.offset, end)
    if (end <= first.length) return rows
    const later = this.appended.get(topic)?.get(partition)
    if (later !== undefined) rows.push(...later.slice(Math.max(0, range.offset - first.length), end - first.length))
    return rows
  }

  newestToken(job: JobId): FencingToken | null {
    return this.tokens.get(job) ?? null
  }

  sink(name: string): SinkStore | null {
    return this.sinks.get(name) ?? null
  }

  allSinks(): SinkStore[] {
    return [...this.sinks.values()]
  }

  apply(record: JournalRecord): void {
    switch (record.type) {
      case 'fence':
        this.tokens.set(record.job, record.token)
        return
      case 'topic-append':
        this.appendedTo(record.topic, record.partition).pushAll(record.rows)
        return
      case 'append':
        return this.sinkFor(record.sink).append(record.rows)
      case 'upsert':
        return this.sinkFor(record.sink).upsert(record.rows, record.by)
      case 'begin':
        return this.sinkFor(record.sink).begin(record.transaction, record.deadline)
      case 'write':
        return this.sinkFor(record.sink).write(record.transaction, record.rows)
      case 'pre-commit':
        return this.sinkFor(record.sink).preCommit(record.transaction)
      case 'commit':
        return this.sinkFor(record.sink).commit(record.transaction)
      case 'abort':
        return this.sinkFor(record.sink).abort(record.transaction)
      case 'reset':
        this.sinks.clear()
        this.appended.clear()
        return
      default:
        return unreachable(record)
    }
  }

  snapshot(): OutsideSnapshot {
    const appended: OutsideSnapshot['appended'][number][] = []
    for (const [topic, partitions] of this.appended) {
      for (const [partition, rows] of partitions) appended.push({ topic, partition, rows: rows.slice(0) })
    }
    return { version: SNAPSHOT_VERSION, fences: [...this.tokens], appended, sinks: this.allSinks().map((sink) => sink.snapshot()) }
  }

  /** The state of a snapshot and the records after it, without loaded topics. */
  static restore(snapshot: OutsideSnapshot | null, records: readonly JournalRecord[]): OutsideState {
    const state = new OutsideState()
    for (const [job, token] of snapshot?.fences ?? []) state.tokens.set(job, token)
    for (const { topic, partition, rows } of snapshot?.appended ?? []) state.appendedTo(topic, partition).pushAll(rows)
    for (const sink of snapshot?.sinks ?? []) state.sinks.set(sink.name, SinkStore.restore(sink))
    for (const record of records) state.apply(record)
    return state
  }

  private appendedTo(topic: string, partition: number): AppendList<Value> {
    const partitions = this.appended.get(topic) ?? new Map<number, AppendList<Value>>()
    this.appended.set(topic, partitions)
    const rows = partitions.get(partition) ?? new AppendList<Value>()
    partitions.set(partition, rows)
    return rows
  }

  private sinkFor(name: string): SinkStore {
    const sink = this.sinks.get(name) ?? new SinkStore(name)
    this.sinks.set(name, sink)
    return sink
  }
}
