/** The document of the job that runs, kept across reloads so that the page can draw what the JobManager recovers. */
import type { JobDocument } from '../../workers/model/job-document.ts'

const STORED_DOCUMENT = 'weir.running-document'

export function rememberDocument(document: JobDocument): void {
  try {
    localStorage.setItem(STORED_DOCUMENT, JSON.stringify(document))
  } catch {
    // Storage is refused: after a reload nothing can be recovered anyhow.
  }
}

export function rememberedDocument(): JobDocument | null {
  try {
    const text = localStorage.getItem(STORED_DOCUMENT)
    return text === null ? null : (JSON.parse(text) as JobDocument)
  } catch {
    return null
  }
}
