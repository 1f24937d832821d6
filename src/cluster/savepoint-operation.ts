/** Asynchronous operations of Flink's REST API: asked for with a POST, then asked after until they are over. */
import type { RestAnswerJson, RestCall } from '../../workers/hosts/browser/requests.ts'

const ASK_EVERY_MS = 150

/** The id of the request that was accepted. Throws with the answer's own words where it was not. */
export function requestId({ status, body }: RestAnswerJson): string {
  const id = (body as { readonly 'request-id'?: unknown } | null)?.['request-id']
  if (status < 400 && typeof id === 'string') return id
  throw new Error(`${status}: ${errorsOf(body)}`)
}

interface Operation {
  readonly status?: { readonly id?: string }
  readonly operation?: {
    readonly location?: string | null
    readonly 'failure-cause'?: { readonly 'stack-trace'?: string } | null
    readonly failureCause?: { readonly 'stack-trace'?: string } | null
  } | null
}

/**
 * Resolves with the location that the operation ends with, null if it has none. Rejects with its failure cause, and when the JobManager no longer
 * knows of it: one that leads anew has forgotten what was asked of the one before. However long it takes: a paused cluster completes nothing.
 */
export async function awaitOperation(path: string, rest: (call: RestCall) => Promise<RestAnswerJson>): Promise<string | null> {
  for (;;) {
    const { status, body } = await rest({ path })
    if (status >= 400) throw new Error(`${status}: ${errorsOf(body)}`)
    const { status: state, operation } = body as Operation
    if (state?.id === 'COMPLETED') {
      const cause = operation?.['failure-cause'] ?? operation?.failureCause ?? null
      if (cause !== null) throw new Error(cause['stack-trace'] ?? JSON.stringify(cause))
      return operation?.location ?? null
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
}

function errorsOf(body: unknown): string {
  const { errors } = (body ?? {}) as { readonly errors?: unknown }
  return Array.isArray(errors) ? errors.join('; ') : JSON.stringify(body)
}
