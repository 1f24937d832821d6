/** Answers to requests by hand, by trigger id. Flink: CompletedOperationCache. */
import type { CheckpointId } from '../model/ids.ts'

/** Answers kept; the oldest goes first. */
const MAX_OPERATIONS = 300

export type OperationResult =
  | { readonly status: 'IN_PROGRESS' }
  | { readonly status: 'COMPLETED'; readonly checkpointId: CheckpointId; readonly location: string }
  | { readonly status: 'FAILED'; readonly message: string }

export class OperationCache {
  private readonly results = new Map<string, OperationResult>()

  begin(triggerId: string | null): void {
    if (triggerId === null) return
    this.results.set(triggerId, { status: 'IN_PROGRESS' })
    const [oldest] = this.results.keys()
    if (oldest !== undefined && this.results.size > MAX_OPERATIONS) this.results.delete(oldest)
  }

  end(triggerId: string | null, result: OperationResult): void {
    if (triggerId !== null && this.results.has(triggerId)) this.results.set(triggerId, result)
  }

  get size(): number {
    return this.results.size
  }

  get(triggerId: string): OperationResult | null {
    return this.results.get(triggerId) ?? null
  }
}
