/**
 * A job that comes from outside, as text: taken over where it has the shape of a job document, else refused with every place that is wrong.
 * Mistakes of its meaning (an unconnected input, say) do not refuse it: build mode marks them.
 */
import { findNodeAtLocation, parse, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { ParseError } from 'jsonc-parser'
import { err, ok } from '../../workers/base/result.ts'
import type { Result } from '../../workers/base/result.ts'
import { checkJobShape } from '../../workers/model/compile/job-shape.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { pointerPath } from './problem-places.ts'

/** Larger files are no job documents. */
export const JOB_FILE_BYTES_MAX = 2_000_000

export interface Refusal {
  readonly message: string
  readonly cure: string
  /** Line and JSON pointer, as far as known. */
  readonly place: string
}

export function readJob(text: string): Result<JobDocument, readonly Refusal[]> {
  if (text.length > JOB_FILE_BYTES_MAX) {
    return err([{ message: `It has ${text.length} characters; a job has ${JOB_FILE_BYTES_MAX} at most.`, cure: 'Choose a job document (weir/job@1).', place: 'file' }])
  }
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { disallowComments: true, allowTrailingComma: false })
  if (errors.length > 0) {
    return err(errors.slice(0, 5).map(({ error, offset }) => ({ message: `Not JSON: ${words(printParseErrorCode(error))}.`, cure: 'Mend the text there.', place: lineOf(text, offset) })))
  }
  const faults = checkJobShape(value).map(({ message, cure, path }) => ({ message, cure, place: `${path === '' ? 'document' : path}, ${lineOf(text, offsetOf(text, path))}` }))
  return faults.length > 0 ? err(faults) : ok(value as JobDocument)
}

/** `CloseBraceExpected` → "close brace expected". */
const words = (code: string): string => code.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()

const lineOf = (text: string, offset: number): string => `line ${text.slice(0, offset).split('\n').length}`

/** Where the value stands, or the nearest one above it. */
function offsetOf(text: string, pointer: string): number {
  const root = parseTree(text)
  const path = pointerPath(pointer)
  while (root !== undefined && path.length > 0) {
    const node = findNodeAtLocation(root, path)
    if (node !== undefined) return node.offset
    path.pop()
  }
  return 0
}
