/** A file that is not what its format says. The message names the offset and what was expected there. */
export class FormatError extends Error {
  override readonly name: string = 'FormatError'
}
