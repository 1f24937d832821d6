/** One tab leads: whoever holds the lock. Every leader gets a token that is higher than all before it. */

const LOCK = 'weir.leader'
const STORED_TOKEN = 'weir.fencing-token'

/** Calls `lead` as soon as this tab may lead, at once or when the other tab has gone. `watch` is called if that is not at once. */
export function seekLeadership(lead: () => void, watch: () => void): void {
  if (navigator.locks === undefined) {
    // An insecure origin: there is no way to know of other tabs, and none to store anything either.
    lead()
    return
  }
  const forEver = (): Promise<never> => {
    lead()
    return new Promise(() => undefined)
  }
  void navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => {
    if (lock !== null) return forEver()
    watch()
    void navigator.locks.request(LOCK, forEver)
    return undefined
  })
}

/** The next token. Only the leader asks, so there is no race. */
export function nextFencingToken(atLeast: number): number {
  let last = atLeast
  try {
    last = Math.max(last, Number(localStorage.getItem(STORED_TOKEN) ?? '0') || 0)
    localStorage.setItem(STORED_TOKEN, String(last + 1))
  } catch {
    // Storage is refused: nothing of an older leader can be there either.
  }
  return last + 1
}
