/**
 * Which operators belong to which uids: files before Flink 2.0 hold only the hash of a uid, so candidates are hashed and compared. Flink:
 * StreamGraphHasherV2 (FLIP-474 tells why).
 */
import { operatorIdOfUid } from '../model/operator-id-of-uid.ts'

/** The candidate behind each operator id that one of them fits, by operator id. */
export function matchUids(operatorIds: readonly string[], candidates: readonly string[]): ReadonlyMap<string, string> {
  const wanted = new Set(operatorIds)
  const found = new Map<string, string>()
  for (const candidate of candidates) {
    const id: string = operatorIdOfUid(candidate)
    if (wanted.has(id)) found.set(id, candidate)
  }
  return found
}
