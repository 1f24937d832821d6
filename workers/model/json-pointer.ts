/** A JSON pointer (RFC 6901) of its segments: how a `Problem` names its place. */
export const jsonPointer = (...segments: readonly (string | number)[]): string =>
  segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
