/**
 * The file system of the simulated world: `MemoryFiles` behind a line each way, with faults. Each operation happens at one moment, so a crash
 * of whoever asked leaves the transaction applied or not, and the answer lost.
 */
import type { StorageFailure, StorageResult } from '../../model/storage.ts'
import type { EngineTime } from '../../model/time.ts'
import type { MemoryFiles } from '../../storage/memory-files.ts'
import type { StorageCall } from './envelopes.ts'
import type { Receiver, World } from './world.ts'

type StorageMessage = StorageCall | { readonly type: 'resume' } | { readonly type: 'deadline'; readonly call: StorageCall }

/** A request without an answer fails after so long, as the hosts in the browser see to it. */
const DEADLINE_MICROS = 10_000_000

export class SimulatedStorage implements Receiver<StorageMessage> {
  readonly files: MemoryFiles
  private readonly world: World
  private failing: { reason: StorageFailure; count: number } | null = null
  private losing: { applied: boolean } | null = null
  private stalledUntil: EngineTime = 0
  private held: StorageCall[] = []

  constructor(world: World, files: MemoryFiles) {
    this.world = world
    this.files = files
  }

  receive(message: StorageMessage): void {
    if (message.type === 'resume') {
      if (this.world.now < this.stalledUntil) return
      const held = this.held
      this.held = []
      for (const call of held) this.carryOut(call)
    } else if (message.type === 'deadline') {
      this.answer(message.call, { ok: false, reason: 'DEADLINE_EXCEEDED', message: 'storage has not answered in time' })
    } else if (this.world.now < this.stalledUntil) this.held.push(message)
    else this.carryOut(message)
  }

  /** The next `count` writes fail and change nothing. */
  failWrites(reason: StorageFailure, count: number): void {
    this.failing = { reason, count }
  }

  loseNextReply(applied: boolean): void {
    this.losing = { applied }
  }

  stall(duration: EngineTime): void {
    this.stalledUntil = Math.max(this.stalledUntil, this.world.now + duration)
    this.world.schedule<StorageMessage>(this.stalledUntil, this, { type: 'resume' })
  }

  /** Ends every fault. */
  heal(): void {
    this.failing = null
    this.losing = null
    this.stalledUntil = Math.min(this.stalledUntil, this.world.now)
    this.receive({ type: 'resume' })
  }

  private carryOut(call: StorageCall): void {
    if (call.op.type === 'transact' && call.op.writes.length > 0) {
      if (this.failing !== null) return this.answer(call, this.failOnce(this.failing))
      if (this.losing !== null) {
        if (this.losing.applied) this.files.execute(call.op, call.fence)
        this.losing = null
        return this.world.schedule<StorageMessage>(this.world.now + DEADLINE_MICROS, this, { type: 'deadline', call })
      }
    }
    this.answer(call, this.files.execute(call.op, call.fence))
  }

  private failOnce(failing: { reason: StorageFailure; count: number }): StorageResult {
    failing.count--
    if (failing.count <= 0) this.failing = null
    return { ok: false, reason: failing.reason, message: `the write failed: ${failing.reason} (an injected fault)` }
  }

  private answer(call: StorageCall, result: StorageResult): void {
    call.answer.send({ type: 'input', input: { type: 'storage-reply', reply: { requestId: call.requestId, result } } })
  }
}
