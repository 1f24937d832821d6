/** Errors that nobody caught: told to the parent, which decides what is lost with this worker. */
import type { WorkerNotice } from './messages.ts'

export function reportLastChanceErrors(post: (notice: WorkerNotice) => void): void {
  const report = (error: unknown): void => {
    const known = error instanceof Error
    post({ type: 'died', message: known ? `${error.name}: ${error.message}` : String(error), stack: known ? (error.stack ?? '') : '' })
  }
  self.addEventListener('error', (event) => {
    event.preventDefault()
    report(event.error ?? event.message)
  })
  self.addEventListener('unhandledrejection', (event) => {
    event.preventDefault()
    report(event.reason)
  })
}
