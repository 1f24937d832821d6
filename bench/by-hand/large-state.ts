/** A state of about 100 MiB: so many entries with a text of so many characters each. The engine and the hand-written way hold the same. */
export const ENTRIES = 25_600
export const TEXT_LENGTH = 4096

export const keyOf = (entry: number): string => `key-${entry}`

/** A text of its own for each entry, of small letters. */
export function textOf(entry: number): string {
  const codes = new Uint8Array(TEXT_LENGTH)
  let state = (entry + 1) * 2654435761
  for (let i = 0; i < TEXT_LENGTH; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    codes[i] = 97 + ((state >>> 16) % 26)
  }
  return new TextDecoder('latin1').decode(codes)
}
