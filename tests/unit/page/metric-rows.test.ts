import { expect, it } from 'vitest'
import { emptySentence, metricRows, metricValue } from '../../../src/inspector/metric-rows.ts'

const METRICS = [
  { id: '0.numRecordsIn', value: '7' }, { id: '0.Shuffle.Netty.Input.Buffers.inPoolUsage', value: '0.1' }, { id: '1.numRecordsIn', value: '9' }, { id: 'uptime', value: '5' },
  { id: '1.unmeasured' },
]

it('a row has the values of all subtasks under one name; a metric of the job has one value', () => {
  expect(metricRows(METRICS, '')).toEqual([
    { name: 'numRecordsIn', values: [{ subtask: 0, value: '7' }, { subtask: 1, value: '9' }] },
    { name: 'Shuffle.Netty.Input.Buffers.inPoolUsage', values: [{ subtask: 0, value: '0.1' }] },
    { name: 'uptime', values: [{ subtask: null, value: '5' }] },
  ])
})

it.each([[' poolusage ', ['Shuffle.Netty.Input.Buffers.inPoolUsage']], ['0.', []], ['u', ['numRecordsIn', 'Shuffle.Netty.Input.Buffers.inPoolUsage', 'uptime']]] as const)('a search for "%s" looks at names', (search, names) => {
  expect(metricRows(METRICS, search).map(({ name }) => name)).toEqual(names)
})

it.each([
  ['1234567', '1 234 567'], ['400.0', '400'], ['0.016666666666666666', '0.017'], ['1.5', '1.5'], ['-1', '−1'], ['-0.25', '−0.25'], ['0.9999', '1'], ['100.10', '100.1'],
  ['true', 'true'], ['n/a', 'n/a'], ['5.0E-4', '0.001'], ['', ''],
])('%s is shown as %s', (value, shown) => {
  expect(metricValue(value)).toBe(shown)
})

it.each([
  [{ names: null, isLoading: true }, 'The JobManager has not answered yet.'],
  [{ names: METRICS, isLoading: true }, 'The JobManager has not answered yet.'],
  [{ names: [], isLoading: true }, 'Nothing has been measured yet.'],
  [{ names: METRICS, isLoading: false }, 'None of them has a value yet.'],
  [{ names: METRICS, isLoading: false, search: ' blue ' }, 'No metric is called “blue”.'],
  [{ names: null, isLoading: true, problem: 'It is gone.' }, 'It is gone.'],
])('an empty list says why: %o', (list, sentence) => {
  expect(emptySentence({ search: '', problem: null, ...list })).toBe(sentence)
})
