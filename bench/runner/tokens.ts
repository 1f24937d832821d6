import type { Measuring } from './word-count.ts'
import type { Row } from './table.ts'
export async function movingTokens(_measuring: Measuring): Promise<readonly Row[]> {
  return []
}
