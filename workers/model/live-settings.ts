/**
 * What may be changed while a job runs: how long a record takes, how keys are spread, what the network takes. Ours alone: in Flink these are what they
 * are. A change holds for what runs, from its next record or message on, and for what is deployed later.
 */
import type { ChannelId } from './ids.ts'
import type { EngineTime } from './time.ts'

/** By channel, in bytes of Flink's encoding per second of engine time; null: no limit, whatever the document says. */
export type ChannelRates = Readonly<Record<ChannelId, number | null>>

/** By channel: what is sent through it takes so much longer on its way, whatever the document says. */
export type ChannelDelays = Readonly<Record<ChannelId, EngineTime>>

export interface LiveSettings {
  /** What a record costs in an operator, by uid. */
  readonly costs: Readonly<Record<string, EngineTime>>
  /** How unevenly a generator draws its keys, by uid: key k has weight 1 / (k + 1)^skew. */
  readonly skews: Readonly<Record<string, number>>
  /** For whoever sends through these channels. */
  readonly rates: ChannelRates
  /** For whoever receives from these channels. The host keeps messages back; the task tells of it. */
  readonly delays: ChannelDelays
}

/** As the job document says. */
export const AS_DOCUMENTED: LiveSettings = { costs: {}, skews: {}, rates: {}, delays: {} }

/** What is named in the change replaces what there was under its name; the rest stays. */
export const withChange = (settings: LiveSettings, change: Partial<LiveSettings>): LiveSettings => ({
  costs: { ...settings.costs, ...change.costs },
  skews: { ...settings.skews, ...change.skews },
  rates: { ...settings.rates, ...change.rates },
  delays: { ...settings.delays, ...change.delays },
})
