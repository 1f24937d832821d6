import { describe, expect, it } from 'vitest'
import { judgeEntry } from '../../../workers/model/options/import/judge-entry.ts'

const judged = (key: string, value: string) => judgeEntry({ key, value, text: `${key}: ${value}`, line: 1 }, 0).map(({ option }) => [option.key, option.value, option.status])

describe('state backends by their old names (behaviour 21.6)', () => {
  it.each(['state.backend', 'state.backend.type'])('%s: filesystem is hashmap with filesystem storage', (key) => {
    expect(judged(key, 'filesystem')).toEqual([['state.backend.type', 'hashmap', 'renamed'], ['execution.checkpointing.storage', 'filesystem', 'renamed']])
  })

  it('jobmanager is hashmap with JobManager storage', () => {
    expect(judged('state.backend', 'jobmanager')).toEqual([['state.backend.type', 'hashmap', 'renamed'], ['execution.checkpointing.storage', 'jobmanager', 'renamed']])
  })

  it('hashmap is what it was', () => {
    expect(judged('state.backend', 'hashmap')).toEqual([['state.backend.type', 'hashmap', 'renamed']])
  })
})
