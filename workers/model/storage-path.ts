/**
 * Flink's URIs of directories → paths of the one file system here. `file:` and a bare path are the path itself; any other scheme is a root of its
 * own, so that `s3://a/x` and `hdfs:///x` never meet. Flink: FileSystem.get, Path. The document keeps what was written.
 */
import { err, ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'

/** Where a directory of that name lies, without a trailing slash; or what is wrong with the name. */
export function storagePathOf(uri: string): Result<string, string> {
  const match = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/]*))?(\/.*)?$/i.exec(uri)
  const scheme = match?.[1]?.toLowerCase() ?? 'file'
  const authority = match?.[2] ?? ''
  const path = match === null ? uri : (match[3] ?? '')
  const root = scheme === 'file' ? '' : `/${scheme}${authority === '' ? '' : `/${authority}`}`
  const clean = `${root}${path}`.replace(/\/{2,}/g, '/').replace(/\/+$/, '')
  if (!/^(\/[^/]+)+$/.test(clean)) return err(`"${uri}" is not an absolute path.`)
  if (clean.split('/').some((segment) => segment === '.' || segment === '..')) return err(`"${uri}" has a segment "." or "..".`)
  return ok(clean)
}
