import { fencingToken, jobId, type JobId } from '../../../workers/model/ids.ts'
import type { EventBody } from '../../../workers/model/events.ts'
import type { OutsideOp, OutsideReply, OutsideResult, TopicContent } from '../../../workers/model/outside.ts'
import type { Value } from '../../../workers/model/schema.ts'
import type { JournalRecord } from '../../../workers/outside/journal.ts'
import type { OutsideInput } from '../../../workers/outside/outside-io.ts'
import { OutsideWorld } from '../../../workers/outside/outside-world.ts'

export const JOB = jobId('0123456789abcdef0123456789abcdef')
export const OTHER_JOB = jobId('fedcba9876543210fedcba9876543210')

/** Drives an outside world and keeps what comes out of it. */
export class OutsideHarness {
  world: OutsideWorld
  now = 0
  readonly replies: { to: string; reply: OutsideReply }[] = []
  readonly events: EventBody[] = []
  readonly journal: JournalRecord[] = []
  readonly timers = new Map<string, number>()
  private requestId = 0

  constructor(topics: readonly TopicContent[] = [], world: OutsideWorld = new OutsideWorld(topics)) {
    this.world = world
    this.send({ type: 'start' })
  }

  send(input: OutsideInput): void {
    this.world.handle(input, this.now, {
      reply: (to, reply) => void this.replies.push({ to, reply }),
      setTimer: (timer, at) => void this.timers.set(timer, at),
      clearTimer: (timer) => void this.timers.delete(timer),
      event: (body) => void this.events.push(body),
      persist: (record) => void this.journal.push(structuredClone(record)),
    })
  }

  ask(op: OutsideOp, token = 1, job: JobId = JOB): OutsideResult {
    const requestId = ++this.requestId
    this.send({ type: 'request', from: 'task', request: { requestId, job, token: fencingToken(token), op } })
    const last = this.replies.at(-1)
    if (last?.reply.requestId !== requestId || last.to !== 'task') throw new Error('the request was not answered')
    return last.reply.result
  }

  /** `ok` or the reason of the refusal. */
  outcome(op: OutsideOp, token = 1, job: JobId = JOB): string {
    const result = this.ask(op, token, job)
    return result.ok ? 'ok' : result.reason
  }

  begin(transaction: string, timeoutMicros = Infinity): string {
    return this.outcome({ type: 'begin', sink: 'out', transaction, timeoutMicros })
  }

  write(transaction: string, ...rows: Value[]): string {
    return this.outcome({ type: 'write', sink: 'out', transaction, rows })
  }

  preCommit(transaction: string): string {
    return this.outcome({ type: 'pre-commit', sink: 'out', transaction })
  }

  commit(transaction: string): string {
    return this.outcome({ type: 'commit', sink: 'out', transaction })
  }

  abort(transaction: string): string {
    return this.outcome({ type: 'abort', sink: 'out', transaction })
  }

  /** Lets time pass, firing the timers that come due on the way. */
  advanceTo(time: number): void {
    for (;;) {
      const due = [...this.timers].filter(([, at]) => at <= time).sort((a, b) => a[1] - b[1])[0]
      if (due === undefined) break
      this.timers.delete(due[0])
      this.now = Math.max(this.now, due[1])
      this.send({ type: 'timer', timer: due[0] })
    }
    this.now = time
  }

  states(): Record<string, string> {
    return Object.fromEntries(this.world.view('out').transactions.map(({ id, state }) => [id, state]))
  }
}
