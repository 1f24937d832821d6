/** What is left behind, and who owns the snapshot from now on. */
import { CLAIM_MODES, type ClaimMode, type SavepointRestoreSettings } from '../../workers/model/restore.ts'
import type { RestoreVerdict } from '../../workers/model/restore-verdict.ts'
import { bytes } from '../widgets/figures.ts'

export type Choices = Omit<SavepointRestoreSettings, 'path'>

const MODES: Readonly<Record<ClaimMode, readonly [string, string]>> = {
  NO_CLAIM: ['No claim', 'the snapshot stays yours; the first checkpoint is a full one, after it you may delete the snapshot'],
  CLAIM: ['Claim', 'this job owns the files and deletes them when they are subsumed'],
  LEGACY: ['Legacy', 'nobody deletes it, and later checkpoints may need its files for ever; deprecated'],
}

interface ChoicesProps {
  readonly choices: Choices
  readonly verdict: RestoreVerdict | null
  readonly onChange: (choices: Choices) => void
}

export function RestoreChoices({ choices, verdict, onChange }: ChoicesProps) {
  const left = verdict?.operators.filter((one) => one.outcome === 'dropped') ?? []
  const size = left.reduce((sum, one) => sum + (one.old?.size ?? 0), 0)
  const names = left.map((one) => one.old?.uid || one.old?.name || one.operatorId.slice(0, 8)).join(', ')
  return (
    <section className="restore-choices">
      <label className="choice">
        <input type="checkbox" checked={choices.allowNonRestoredState} onChange={(event) => onChange({ ...choices, allowNonRestoredState: event.target.checked })} />
        <span>
          Allow non-restored state <code>--allowNonRestoredState</code>
          <small>{left.length === 0 ? 'Nothing would be left behind: every state has its operator.' : `On: ${bytes(size)} of ${names} are left behind, for good once this job takes its own checkpoints.`}</small>
        </span>
      </label>
      <fieldset className="choice-modes">
        <legend>Claim mode</legend>
        {CLAIM_MODES.map((mode) => (
          <label key={mode} className="choice">
            <input type="radio" name="claim-mode" checked={choices.claimMode === mode} onChange={() => onChange({ ...choices, claimMode: mode })} />
            <span>
              {MODES[mode][0]}
              <small>{MODES[mode][1]}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </section>
  )
}
