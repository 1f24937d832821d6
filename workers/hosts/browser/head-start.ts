/**
 * How far a source may run ahead of its receivers while nothing slows it down. With more threads than cores a source that stops only where its
 * buffer pool is used up writes ten buffers and more for each receiver while that one waits for a core, and every barrier waits behind them. A source that
 * gives way to those whom it has fed keeps the queues short; with fewer buffers than these the threads would switch so often that it costs
 * throughput. It is a question of threads alone: Flink's bounds (behaviour 8.2) hold as they are, and receivers that give nothing back for
 * a while find their queues filled up to them.
 */
import type { StreamTask } from '../../task/stream-task.ts'

/** Buffers for each receiver at which a source stops, and at which it goes on. */
const STOP_BUFFERS = 6
const RESUME_BUFFERS = 3
/** Receivers that are slower than this are waited for by Flink's rules alone. A nested `setTimeout` takes as long at the least. */
const PATIENCE_MS = 4

/** What is asked of the source's task. */
export type Feeder = Pick<StreamTask, 'buffersUnderWay'>

export class HeadStart {
  private readonly task: Feeder
  private readonly stopAt: number
  private readonly resumeAt: number
  private readonly lookAgain: () => void
  private isStopped = false
  /** When it was looked at last. */
  private underWay = 0
  /** Wall time at which it stopped, or at which a receiver last gave something back. */
  private patienceFrom = 0
  private timer: ReturnType<typeof setTimeout> | null = null

  /** `receivers`: how many channels lead away. `lookAgain`: patience may be over. */
  constructor(task: Feeder, receivers: number, lookAgain: () => void) {
    this.task = task
    this.stopAt = STOP_BUFFERS * receivers
    this.resumeAt = RESUME_BUFFERS * receivers
    this.lookAgain = lookAgain
  }

  /** The receivers should work before this source does. Asked before it may go on. */
  isTaken(): boolean {
    const underWay = this.task.buffersUnderWay
    const wasStopped = this.isStopped
    if (underWay <= this.resumeAt) this.isStopped = false
    else if (underWay >= this.stopAt) this.isStopped = true
    const isProgress = underWay < this.underWay || !wasStopped
    this.underWay = underWay
    if (!this.isStopped) return false
    const now = performance.now()
    if (isProgress) this.patienceFrom = now
    if (now - this.patienceFrom >= PATIENCE_MS) return false
    this.timer ??= setTimeout(() => {
      this.timer = null
      this.lookAgain()
    }, PATIENCE_MS)
    return true
  }
}
