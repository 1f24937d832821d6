/** What a number of random runs came to, and whether enough happened in them. */
import type { RandomRunResult } from './random-run.ts'

export interface RunSummary {
  readonly text: string
  /** Null: enough happened. Below 20 seeds nothing is demanded, and of what is rare nothing before two seeds of it are due. */
  readonly tooFew: string | null
}

const DEMANDED_FROM = 20
const DUE_FROM = 2
const SHARES = { restored: 0.15, aborted: 0.15, committed: 0.4, compared: 0.6, inFlight: 0.1, inFlightRestored: 0.01, savepoints: 0.2, resumed: 0.05 } as const

export function summarize(results: readonly RandomRunResult[]): RunSummary {
  const seedsWith = (name: keyof typeof SHARES | 'completed' | 'faults'): number => results.filter((result) => result[name] > 0).length
  const sum = (name: 'events' | 'completed' | 'aborted' | 'restored'): number => results.reduce((total, result) => total + result[name], 0)
  const text = [
    `${results.length} seeds: ${seedsWith('faults')} with faults, ${seedsWith('restored')} restored, ${seedsWith('aborted')} aborted, ${seedsWith('committed')} committed, ${seedsWith('compared')} compared`,
    `${sum('events')} events, ${sum('completed')} checkpoints completed, ${sum('aborted')} aborted, ${sum('restored')} restores`,
  ].join('\n')
  if (results.length < DEMANDED_FROM) return { text, tooFew: null }
  const short = Object.entries(SHARES).filter(([name, share]) => {
    const due = share * results.length
    return due >= DUE_FROM && seedsWith(name as keyof typeof SHARES) < due
  })
  const tooFew = short.map(([name, share]) => `too few seeds ${name}: at least ${share * 100} % are expected`).join('\n')
  return { text, tooFew: tooFew === '' ? null : tooFew }
}
