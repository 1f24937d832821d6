/** The rows of Flink's Configuration tab (behaviour 20.4). */
import type { ConfigAnswer } from './checkpoint-answers.ts'
import { flinkDuration } from './flink-format.ts'

/** Java's largest long, as near as a JSON number is read. */
const LONG_MAX = 2 ** 63

const enabled = (is: boolean): string => (is ? 'Enabled' : 'Disabled')

export function configurationRows(config: ConfigAnswer): readonly (readonly [option: string, value: string])[] {
  const rows: [string, string][] = [
    ['Checkpointing Mode', config.mode === 'exactly_once' ? 'Exactly Once' : 'At Least Once'],
    ['Checkpoint Storage', config.checkpoint_storage],
    ['State Backend', config.state_backend],
    ['Interval', config.interval >= LONG_MAX ? 'Periodic checkpoints disabled' : flinkDuration(config.interval)],
    ['Timeout', flinkDuration(config.timeout)],
    ['Minimum Pause Between Checkpoints', flinkDuration(config.min_pause)],
    ['Maximum Concurrent Checkpoints', String(config.max_concurrent)],
    ['Unaligned Checkpoints', enabled(config.unaligned_checkpoints)],
  ]
  if (config.unaligned_checkpoints) rows.push(['Aligned checkpoint timeout', flinkDuration(config.aligned_checkpoint_timeout)])
  rows.push(
    ['Persist Checkpoints Externally', externalization(config.externalization)],
    ['Tolerable Failed Checkpoints', String(config.tolerable_failed_checkpoints)],
    ['Checkpoints With Finished Tasks', enabled(config.checkpoints_after_tasks_finish)],
    ['State Changelog', enabled(config.state_changelog_enabled)],
  )
  if (config.state_changelog_enabled) {
    rows.push(['Changelog Storage', config.changelog_storage ?? '-'], ['Changelog Periodic Materialization Interval', flinkDuration(config.changelog_periodic_materialization_interval)])
  }
  return rows
}

function externalization({ enabled: is, delete_on_cancellation: deletes }: ConfigAnswer['externalization']): string {
  if (!is) return 'Disabled'
  return deletes ? 'Enabled (delete on cancellation)' : 'Enabled (retain on cancellation)'
}
