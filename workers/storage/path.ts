/**
 * Rules for paths of the file system: absolute, `/`-separated, no empty segment, no `.` or `..` (Flink: Path, but never relative). A
 * directory exists because files are below it; it has no entry of its own.
 */

/** Null when `path` names a file; otherwise what is wrong with it. */
export function pathError(path: string): string | null {
  if (!path.startsWith('/')) return `the path "${path}" is not absolute`
  for (const segment of path.slice(1).split('/')) {
    if (segment === '') return `the path "${path}" has an empty segment`
    if (segment === '.' || segment === '..') return `the path "${path}" has a segment "${segment}"`
  }
  return null
}

/** A directory is a path, or `/` for the whole file system. */
export const directoryError = (directory: string): string | null => (directory === '/' ? null : pathError(directory))

/**
 * A prefix for listing is the beginning of a path as text: `/a/chk-1` lists `/a/chk-1/x` and `/a/chk-10/x`. Who means a directory ends it
 * with `/`.
 */
export function prefixError(prefix: string): string | null {
  if (prefix === '/') return null
  return pathError(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix)
}

/** The prefix that every file below `directory` has. */
export const belowPrefix = (directory: string): string => (directory === '/' ? '/' : `${directory}/`)

/** Order of paths in a listing: by UTF-16 code units, as IndexedDB orders keys. */
export const comparePaths = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
