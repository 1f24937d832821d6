/** One line for each check, and the count at the end. */
let passed = 0
let failed = 0

/** `problems` empty: passed. The first few are printed. */
export function check(name: string, problems: readonly string[]): void {
  if (problems.length === 0) passed++
  else failed++
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'}  ${name}`)
  for (const problem of problems.slice(0, 8)) console.log(`        ${problem}`)
  if (problems.length > 8) console.log(`        and ${problems.length - 8} more`)
}

export function finish(): never {
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}

/** What differs between two multisets of lines. */
export function difference(expected: readonly string[], found: readonly string[], whose: readonly [string, string]): string[] {
  const count = new Map<string, number>()
  for (const line of expected) count.set(line, (count.get(line) ?? 0) + 1)
  for (const line of found) count.set(line, (count.get(line) ?? 0) - 1)
  return [...count].filter(([, times]) => times !== 0).map(([line, times]) => `${times > 0 ? whose[0] : whose[1]} alone has ${line}${Math.abs(times) > 1 ? ` (${Math.abs(times)} times)` : ''}`)
}
