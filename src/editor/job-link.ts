/**
 * The job in the link: `#job=` and the document, deflated and in URL-safe base64. Over `LINK_BYTES_MAX` there is no link but a file, never a
 * silent truncation. A document that came by link is data: it is shown, and started only by its reader.
 */
import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate'
import { err, ok } from '../../workers/base/result.ts'
import type { Result } from '../../workers/base/result.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'

/** What browsers and chat programs carry without harm. */
export const LINK_BYTES_MAX = 16_000
/** A link that unpacks to more is refused: a few bytes can stand for gigabytes. */
const DOCUMENT_BYTES_MAX = 2_000_000
const PREFIX = 'job='

export function encodeJobLink(job: JobDocument): Result<string, string> {
  const packed = deflateSync(strToU8(JSON.stringify(job)), { level: 9 })
  const hash = `#${PREFIX}${toBase64Url(packed)}`
  return hash.length > LINK_BYTES_MAX
    ? err(`The job is too large for a link (${hash.length} of ${LINK_BYTES_MAX} characters). Save it as a file instead.`)
    : ok(hash)
}

/** Null where the hash holds no job. The document is not checked here beyond being JSON: the compiler does that and names the places. */
export function decodeJobLink(hash: string): Result<unknown, string> | null {
  const text = hash.startsWith('#') ? hash.slice(1) : hash
  if (!text.startsWith(PREFIX)) return null
  try {
    const packed = fromBase64Url(text.slice(PREFIX.length))
    const bytes = inflateSync(packed, { out: new Uint8Array(DOCUMENT_BYTES_MAX) })
    return ok(JSON.parse(strFromU8(bytes)))
  } catch {
    return err('The link is damaged: it was cut off or changed on its way. Ask for it again, or open the job as a file.')
  }
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64Url(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
