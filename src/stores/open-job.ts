/** A job from a file or a link: shown in build mode, never started by itself. One that is malformed says why, and what was there stays. */
import type { JobDocument } from '../../workers/model/job-document.ts'
import { decodeJobLink } from '../editor/job-link.ts'
import { readJob } from '../editor/read-job.ts'
import { useJob } from './job-store.ts'
import { useView } from './view-store.ts'

export async function openJobFile(file: File): Promise<void> {
  const { set } = useView.getState()
  const read = readJob(await file.text())
  if (!read.ok) return set({ refused: { title: `“${file.name}” is no job`, faults: read.error } })
  useJob.getState().edit(read.value)
  set({ view: 'build', firstMinute: false, cameByLink: false })
}

/** False where the address holds no job, or the one that runs already. */
export function openJobLink(hash: string, running: JobDocument | null): boolean {
  const linked = decodeJobLink(hash)
  if (linked === null) return false
  const { set } = useView.getState()
  const read = linked.ok ? readJob(JSON.stringify(linked.value, null, 2)) : null
  if (!linked.ok || read === null || !read.ok) {
    const faults = linked.ok ? (read?.ok === false ? read.error : []) : [{ message: linked.error, cure: '', place: 'address' }]
    set({ refused: { title: 'The link holds no job', faults }, firstMinute: false })
    return false
  }
  if (running !== null && JSON.stringify(running) === JSON.stringify(read.value)) return false
  useJob.getState().load(read.value)
  set({ view: 'build', firstMinute: false, cameByLink: true })
  return true
}

/** As a file of the reader's own. */
export function downloadJob(document: JobDocument): void {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(document, null, 2)}\n`], { type: 'application/json' }))
  const link = window.document.createElement('a')
  link.href = url
  link.download = `${document.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'job'}.job.json`
  link.click()
  URL.revokeObjectURL(url)
}
