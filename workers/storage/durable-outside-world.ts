/**
 * The outside world with its journal: nobody hears of a change before it is stored. What a browser host runs in the outside worker.
 */
import { err, ok, type Result } from '../base/result.ts'
import type { OutsideReply, SinkView, TopicContent } from '../model/outside.ts'
import type { EngineTime } from '../model/time.ts'
import { JournalWeight, type JournalRecord } from '../outside/journal.ts'
import type { OutsideInput, OutsideOut } from '../outside/outside-io.ts'
import { OutsideWorld } from '../outside/outside-world.ts'
import type { NamedFailure } from './idb-connection.ts'
import { IdbJournal } from './idb-journal.ts'

export interface DurableOutsideOut extends Omit<OutsideOut, 'persist'> {
  /** The last change could not be stored (null: it could again). Until then whoever asks for a change is answered UNAVAILABLE. */
  storageFailed(failure: NamedFailure | null): void
}

export class DurableOutsideWorld {
  private readonly world: OutsideWorld
  private readonly journal: IdbJournal
  private readonly out: DurableOutsideOut
  private readonly weight = new JournalWeight()
  /** Inputs whose records or whose place in the order is still to be stored. */
  private unstored = 0
  private failed = false

  private constructor(world: OutsideWorld, journal: IdbJournal, out: DurableOutsideOut) {
    this.world = world
    this.journal = journal
    this.out = out
  }

  /** What database `name` holds, or an empty world. Send `start` next. */
  static async open(name: string, topics: readonly TopicContent[], out: DurableOutsideOut): Promise<Result<DurableOutsideWorld, NamedFailure>> {
    const journal = new IdbJournal(name)
    const loaded = await journal.load()
    if (!loaded.ok) {
      await journal.close()
      return err(loaded.error)
    }
    const { snapshot, records } = loaded.value
    let world: OutsideWorld
    try {
      world = new OutsideWorld(topics, snapshot, records)
    } catch (error) {
      await journal.close()
      return err({ reason: 'CORRUPT', message: `the saved outside world does not fit together: ${String(error)}` })
    }
    const durable = new DurableOutsideWorld(world, journal, out)
    if (snapshot !== null) durable.weight.compacted(snapshot)
    for (const record of records) durable.weight.add(record)
    return ok(durable)
  }

  /** Timers and events come out at once, replies when what they tell of is stored; reads are not held back. */
  handle(input: OutsideInput, now: EngineTime): void {
    const records: JournalRecord[] = []
    const replies: { readonly to: string; readonly reply: OutsideReply }[] = []
    this.world.handle(input, now, {
      reply: (to, reply) => void replies.push({ to, reply }),
      setTimer: (timer, at) => this.out.setTimer(timer, at),
      clearTimer: (timer) => this.out.clearTimer(timer),
      event: (body) => this.out.event(body),
      persist: (record) => void records.push(record),
    })
    const reads = input.type === 'request' && input.request.op.type === 'fetch'
    if (records.length === 0 && (reads || (this.unstored === 0 && !this.failed))) {
      for (const { to, reply } of replies) this.out.reply(to, reply)
      return
    }
    void this.storeThenReply(records, replies)
  }

  /** See `OutsideWorld.view`: what is in memory, which may be ahead of the disk by a moment. */
  view(sink: string, limit?: number): SinkView {
    return this.world.view(sink, limit)
  }

  sinkNames(): string[] {
    return this.world.sinkNames()
  }

  /** Waits for what is being stored. */
  async close(): Promise<void> {
    await this.journal.close()
  }

  private async storeThenReply(records: readonly JournalRecord[], replies: readonly { readonly to: string; readonly reply: OutsideReply }[]): Promise<void> {
    this.unstored++
    for (const record of records) this.weight.add(record)
    const stored = await (this.failed || this.weight.isDue ? this.compact() : this.journal.append(records))
    this.unstored--
    if (stored.ok === this.failed) this.out.storageFailed(stored.ok ? null : stored.error)
    this.failed = !stored.ok
    for (const { to, reply } of replies) this.out.reply(to, stored.ok ? reply : unavailable(reply, stored.error))
  }

  /** After a failure the whole state is stored anew: what the machine has done meanwhile must not be lost. */
  private compact(): Promise<Result<void, NamedFailure>> {
    const snapshot = this.world.snapshot()
    this.weight.compacted(snapshot)
    return this.journal.compact(snapshot)
  }
}

const unavailable = ({ requestId }: OutsideReply, failure: NamedFailure): OutsideReply => ({
  requestId,
  result: { ok: false, reason: 'UNAVAILABLE', message: `the external system cannot store anything: ${failure.message}` },
})
