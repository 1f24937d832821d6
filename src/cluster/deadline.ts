/** A request to a worker that may be dead ends after a time: comlink never rejects a call whose worker was terminated. */

export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
}

export const CALL_DEADLINE_MS = 15_000

export async function withDeadline<T>(call: Promise<T>, what: string, millis = CALL_DEADLINE_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineExceeded(`${what}: no answer within ${millis / 1000} s`)), millis)
  })
  try {
    return await Promise.race([call, deadline])
  } finally {
    clearTimeout(timer)
  }
}
