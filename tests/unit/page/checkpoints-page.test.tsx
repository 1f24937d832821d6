/** The tabs of the Checkpoints view row by row and column by column (behaviour 20), on answers of a JobManager that has lived a little. */
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { isCompletedSubtask } from '../../../src/checkpoints/checkpoint-answers.ts'
import type { CheckpointAnswer, ConfigAnswer, StatisticsAnswer, SubtasksAnswer } from '../../../src/checkpoints/checkpoint-answers.ts'
import { CheckpointDetail } from '../../../src/checkpoints/checkpoint-detail.tsx'
import { ConfigurationTab } from '../../../src/checkpoints/configuration-tab.tsx'
import { HistoryTab } from '../../../src/checkpoints/history-tab.tsx'
import { OperatorsTable } from '../../../src/checkpoints/operators-table.tsx'
import { OverviewTab } from '../../../src/checkpoints/overview-tab.tsx'
import { SUBTASK_COLUMNS, SUMMARY_HEADS, summaryCells } from '../../../src/checkpoints/subtask-columns.ts'
import { SummaryTab } from '../../../src/checkpoints/summary-tab.tsx'
import type { Cluster as PageCluster } from '../../../src/cluster/cluster-types.ts'
import { ClusterContext } from '../../../src/stores/cluster-context.ts'
import { Cluster, JOB, SECOND, testJob } from '../jobmaster/harness.ts'

const C = 'execution.checkpointing.'

/** Completed (1), failed (2), a savepoint (3), in progress with two acknowledgements (4); restored twice from 1. */
function lived(): Cluster {
  const cluster = new Cluster().running(testJob({ [`${C}tolerable-failed-checkpoints`]: 9, [`${C}num-retained`]: 3 }))
  cluster.checkpoint()
  for (let i = 0; i < 2; i++) {
    cluster.fail(cluster.execution(0))
    cluster.tasksCancel()
    cluster.fire('restart')
    cluster.tasksRun()
  }
  cluster.now = 10 * SECOND
  cluster.trigger('2'.repeat(32))
  cluster.now = 12 * SECOND
  cluster.message({ type: 'decline', attempt: cluster.execution(0), checkpointId: 2, reason: 'CHECKPOINT_DECLINED_TASK_NOT_READY', message: 'not ready yet' })
  cluster.savepoint('a'.repeat(32))
  cluster.now = 14 * SECOND
  cluster.ackAll(3)
  cluster.trigger('4'.repeat(32))
  cluster.now = 16 * SECOND
  for (const index of [0, 1]) cluster.ack(cluster.execution(index), 4, { operators: [] }, 2048)
  return cluster
}

const answer = <T,>(cluster: Cluster, path: string): T => cluster.rest(`/jobs/${JOB}/checkpoints${path}`).body as T
const show = (element: React.ReactNode): string => renderToStaticMarkup(<ClusterContext value={{} as PageCluster}>{element}</ClusterContext>)
const plain = (html: string): string => html.replaceAll(/<[^>]*>/g, '').replaceAll('&#x27;', "'").trim()
const all = (html: string, pattern: RegExp): string[] => [...html.matchAll(pattern)].map((match) => match[1] ?? '')
const tables = (html: string): string[] => all(html, /<table[^>]*>(.*?)<\/table>/gs)
const cells = (html: string): string[] => all(html, /<t[hd][ >](?:[^>]*>)?(.*?)<\/t[hd]>/gs).map(plain)
/** Without Flink's note on the checkpointed size. */
const headsOf = (table: string): string[] => cells(table.slice(0, table.indexOf('</thead>'))).map((head) => head.replace(/ i$/, ''))
const rowsOf = (table: string): string[][] => all(table.slice(table.indexOf('<tbody>')), /<tr[^>]*>(.*?)<\/tr>/gs).map(cells)
const facts = (html: string): string[] => all(html, /<div[^>]*>(<dt>.*?<\/dd>)<\/div>/gs).map((pair) => plain(pair.replace(/:?<\/dt>/, ': ')))

describe('Overview (behaviour 20.1)', () => {
  const rows = (cluster: Cluster): ReadonlyMap<string, string> => {
    const html = show(<OverviewTab statistics={answer<StatisticsAnswer>(cluster, '')} tolerable={0} />)
    return new Map([...html.matchAll(/<section class="overview-row" aria-label="([^"]*)">(.*?)<\/section>/gs)].map(([, title = '', body = '']) => [title, body]))
  }
  const line = (row = ''): string[] => facts(row.slice(0, row.includes('<button') ? row.indexOf('<button') : undefined))

  it('has Flink’s rows with Flink’s figures', () => {
    const found = rows(lived())
    expect([...found.keys()].slice(0, 5)).toEqual(['Checkpoint Counts', 'Latest Completed Checkpoint', 'Latest Failed Checkpoint', 'Latest Savepoint', 'Latest Restore'])
    expect(line(found.get('Checkpoint Counts'))).toEqual(['Triggered: 4', 'In Progress: 1', 'Completed: 2', 'Failed: 1', 'Restored: 2'])
    expect(line(found.get('Latest Completed Checkpoint'))).toEqual([
      'ID: 1', 'Completion Time: 0:02.000', 'End to End Duration: 1s 0ms', 'Checkpointed Data Size: 50 B', 'Full Checkpoint Data Size: 50 B',
    ])
    expect(line(found.get('Latest Failed Checkpoint'))).toEqual(['ID: 2', 'Failure Time: 0:12.000', 'Cause: not ready yet'])
    expect(line(found.get('Latest Savepoint'))).toEqual([
      'ID: 3', 'Completion Time: 0:14.000', 'Checkpointed Data Size: 50 B', 'Full Checkpoint Data Size: 50 B', 'Savepoint Format: CANONICAL',
      `Path: /savepoints/savepoint-012345-${'a'.repeat(12)}`,
    ])
    expect(line(found.get('Latest Restore'))).toEqual(['ID: 1', 'Restore Time: 0:04.000', 'Type: Checkpoint', `Path: /checkpoints/${JOB}/chk-1`])
  })

  it('details are open under all but the counts and the restore', () => {
    const open = [...rows(lived())].filter(([, row]) => row.includes('class="detail"')).map(([title]) => title)
    expect(open).toEqual(['Latest Completed Checkpoint', 'Latest Failed Checkpoint', 'Latest Savepoint'])
  })

  it('what there is none of is None, without a detail', () => {
    const found = rows(new Cluster().running())
    for (const title of ['Latest Completed Checkpoint', 'Latest Failed Checkpoint', 'Latest Savepoint', 'Latest Restore']) expect(plain(found.get(title) ?? '')).toBe(`${title}None`)
  })
})

describe('History (behaviour 20.2)', () => {
  const history = (cluster: Cluster, open: readonly number[] = []): string =>
    show(<HistoryTab history={answer<StatisticsAnswer>(cluster, '').history} tolerable={0} open={new Set(open)} onToggle={() => undefined} />)

  it('newest first, with Flink’s columns; the share only in progress, n/a for what is not there yet', () => {
    const [table = ''] = tables(history(lived()))
    expect(headsOf(table).slice(1)).toEqual([
      'ID', 'Status', 'Acknowledged', 'Trigger Time', 'Latest Acknowledgement', 'End to End Duration', 'Checkpointed Data Size', 'Full Checkpoint Data Size',
      'Processed (persisted) in-flight data',
    ])
    const rows = rowsOf(table)
    expect(rows.map((row) => row[2])).toEqual(['IN_PROGRESS', 'COMPLETED[Savepoint]', expect.stringMatching(/^FAILED/), 'COMPLETED'])
    expect(rows.map((row) => row.slice(3))).toEqual([
      ['2/5 (40%)', '0:14.000', '0:16.000', '2s 0ms', '4.00 KB', '4.00 KB', '0 B (0 B)'],
      ['5/5', '0:12.000', '0:14.000', '2s 0ms', '50 B', '50 B', '0 B (0 B)'],
      ['0/5', '0:10.000', 'n/a', '2s 0ms', '0 B', '0 B', '0 B (0 B)'],
      ['5/5', '0:01.000', '0:02.000', '1s 0ms', '50 B', '50 B', '0 B (0 B)'],
    ])
  })

  it('one without any acknowledgement has neither time nor duration', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    expect(rowsOf(tables(history(cluster))[0] ?? '')[0]?.slice(3, 7)).toEqual(['0/5 (0%)', '0:00.000', 'n/a', 'n/a'])
  })

  it('the detail is under the row that is open', () => {
    const html = history(lived(), [2])
    expect(html.match(/class="detail"/g)).toHaveLength(1)
    expect(html).toMatch(/data-checkpoint="2">(?:(?!data-checkpoint).)*class="detail"/s)
  })
})

describe('Summary (behaviour 20.3)', () => {
  const summary = (cluster: Cluster): string[] => tables(show(<SummaryTab summary={answer<StatisticsAnswer>(cluster, '').summary} completed={2} />))

  it('minimum, average and maximum; below, the percentiles but for the 95th', () => {
    const [figures = '', percentiles = ''] = summary(lived())
    const heads = ['End to End Duration', 'Checkpointed Data Size', 'Full Checkpoint Data Size', 'Processed (persisted) in-flight data']
    expect([headsOf(figures).slice(1), headsOf(percentiles).slice(1)]).toEqual([heads, heads])
    expect(rowsOf(figures)).toEqual([
      ['Minimum', '1s 0ms', '50 B', '50 B', '0 B (0 B)'], ['Average', '1s 500ms', '50 B', '50 B', '0 B (0 B)'], ['Maximum', '2s 0ms', '50 B', '50 B', '0 B (0 B)'],
    ])
    expect(rowsOf(percentiles).map(([title, duration]) => [title, duration])).toEqual([
      ['50% percentile', '1s 500ms'], ['90% percentile', '2s 0ms'], ['99% percentile', '2s 0ms'], ['99.9% percentile', '2s 0ms'],
    ])
  })

  it('every row shows its own figure', () => {
    const figures = { min: 1, avg: 2, max: 3, p50: 4, p90: 5, p95: 6, p99: 7, p999: 8 }
    const summary = { end_to_end_duration: figures, checkpointed_size: figures, state_size: figures, processed_data: figures, persisted_data: figures }
    const [first = '', second = ''] = tables(show(<SummaryTab summary={summary} completed={2} />))
    expect([...rowsOf(first), ...rowsOf(second)].map((row) => row[1])).toEqual(['1ms', '2ms', '3ms', '4ms', '5ms', '7ms', '8ms'])
  })

  it('percentiles of nothing are dashes', () => {
    expect(rowsOf(summary(new Cluster().running())[1] ?? '')[0]).toEqual(['50% percentile', '-', '-', '-', '- (-)'])
  })
})

describe('Configuration (behaviour 20.4)', () => {
  it('Flink’s options in Flink’s order', () => {
    const cluster = new Cluster().running(testJob({ [`${C}unaligned.enabled`]: true, [`${C}aligned-checkpoint-timeout`]: '3 s', [`${C}tolerable-failed-checkpoints`]: 4 }))
    const [table = ''] = tables(show(<ConfigurationTab config={{ body: answer<ConfigAnswer>(cluster, '/config'), isOwn: true, status: 200, problem: null }} />))
    expect(headsOf(table)).toEqual(['Option', 'Value'])
    expect(rowsOf(table)).toEqual([
      ['Checkpointing Mode', 'Exactly Once'], ['Checkpoint Storage', 'FileSystemCheckpointStorage'], ['State Backend', 'HashMapStateBackend'], ['Interval', '10s 0ms'],
      ['Timeout', '10m 0s 0ms'], ['Minimum Pause Between Checkpoints', '0ms'], ['Maximum Concurrent Checkpoints', '1'], ['Unaligned Checkpoints', 'Enabled'],
      ['Aligned checkpoint timeout', '3s 0ms'], ['Persist Checkpoints Externally', 'Disabled'], ['Tolerable Failed Checkpoints', '4'],
      ['Checkpoints With Finished Tasks', 'Enabled'], ['State Changelog', 'Disabled'],
    ])
  })
})

describe('the detail (behaviour 20.5, 20.6)', () => {
  const lineOf = (cluster: Cluster, id: number): string[] => {
    const listed = answer<StatisticsAnswer>(cluster, '').history.find((one) => one.id === id) ?? null
    return facts(show(<CheckpointDetail id={id} listed={listed} tolerable={0} />))
  }

  it('path, discarded as a dash when false, type, and format and failure where there are any', () => {
    expect(lineOf(lived(), 1).slice(0, 3)).toEqual([`Path: /checkpoints/${JOB}/chk-1`, 'Discarded: -', 'Checkpoint Type: aligned checkpoint'])
    expect(lineOf(lived(), 3).slice(2, 4)).toEqual(['Checkpoint Type: savepoint', 'Savepoint Format: CANONICAL'])
    expect(lineOf(lived(), 2)).toEqual(['Path: -', 'Discarded: -', 'Checkpoint Type: aligned checkpoint', 'Failure Message: not ready yet'])
    const subsumed = new Cluster().running()
    for (let i = 0; i < 2; i++) subsumed.checkpoint()
    expect(lineOf(subsumed, 1)).toContain('Discarded: true')
  })

  it('operators: one row for each vertex in the order of the job, the share always, n/a for what is not there yet', () => {
    const cluster = lived()
    const [table = ''] = tables(show(<OperatorsTable checkpoint={4} tasks={answer<CheckpointAnswer>(cluster, '/details/4').tasks} />))
    expect(headsOf(table).slice(1)).toEqual([
      'Name', 'Acknowledged', 'Latest Acknowledgment', 'End to End Duration', 'Checkpointed Data Size', 'Full Checkpoint Data Size', 'Processed (persisted) in-flight data',
    ])
    expect(rowsOf(table).map((row) => row.slice(1))).toEqual([
      ['2/2 (100%)', '0:16.000', '2s 0ms', '4.00 KB', '4.00 KB', '0 B (0 B)'], ['0/2 (0%)', 'n/a', 'n/a', '0 B', '0 B', '0 B (0 B)'], ['0/1 (0%)', 'n/a', 'n/a', '0 B', '0 B', '0 B (0 B)'],
    ].map((row, index) => [cluster.machine.graph!.vertices[index]!.id.slice(0, 8), ...row]))
  })

  it('the columns of subtasks, each with its figure, and the eight of their minima, averages and maxima', () => {
    const cluster = lived()
    const { attempt, vertex } = cluster.machine.executions[2]!
    const metrics = {
      startDelayMicros: 1000, alignmentMicros: 2000, syncMicros: 3000, asyncMicros: 4000, processedBytes: 5, persistedBytes: 6, checkpointedBytes: 7, stateBytes: 8, measured: false,
    }
    cluster.message({ type: 'acknowledge', attempt, checkpointId: 2, metrics, snapshot: { operators: [] } })
    const subtasks = answer<SubtasksAnswer>(cluster, `/details/2/subtasks/${vertex}`)
    const [first] = subtasks.subtasks
    if (first === undefined || !isCompletedSubtask(first)) throw new Error('it has not acknowledged')
    expect(SUBTASK_COLUMNS.map(({ title, show: shown }) => [title, shown(first)])).toEqual([
      ['Acknowledged', '0:16.000'], ['End to End Duration', '6s 0ms (aborted)'], ['Checkpointed Data Size', '7 B'], ['Full Checkpoint Data Size', '8 B'], ['Sync Duration', '3ms'],
      ['Async Duration', '4ms'], ['Processed (persisted) Data', '5 B (6 B)'], ['Alignment Duration', '2ms'], ['Start Delay', '1ms'], ['Unaligned Checkpoint', 'true'],
    ])
    expect(SUMMARY_HEADS).toEqual([
      'End to End Duration', 'Checkpointed Data Size', 'Full Checkpoint Data Size', 'Sync Duration', 'Async Duration', 'Processed (persisted) Data', 'Alignment Duration', 'Start Delay',
    ])
    expect(summaryCells(subtasks, 'max')).toEqual(['6s 0ms', '7 B', '8 B', '3ms', '4ms', '5 B (6 B)', '2ms', '1ms'])
  })
})
