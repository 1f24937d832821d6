/** Offsets of a text → line numbers from 1 on. */
export class TextLines {
  private readonly starts: readonly number[]

  constructor(text: string) {
    const starts = [0]
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.starts = starts
  }

  lineOf(offset: number): number {
    let low = 0
    let high = this.starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

const TEXT_MAX = 300

/** A part of the text on one line, short enough to be shown. */
export function excerpt(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  return plain.length <= TEXT_MAX ? plain : `${plain.slice(0, TEXT_MAX - 1)}…`
}
