import { describe, expect, it } from 'vitest'
import { calculatePlan } from '../../../workers/coordinator/checkpoint-plan.ts'
import type { PlanVertex } from '../../../workers/coordinator/checkpoint-plan.ts'
import type { ExecutionState } from '../../../workers/model/execution.ts'
import { executionAttemptId, taskManagerId, vertexId } from '../../../workers/model/ids.ts'

const vertex = (id: string, states: readonly ExecutionState[], inputs: PlanVertex['inputs'] = []): PlanVertex => ({
  id: vertexId(id),
  tasks: states.map((state, subtask) => ({
    attempt: executionAttemptId(vertexId(id), subtask, 0), vertex: vertexId(id), subtask, state, taskManager: taskManagerId('tm'),
  })),
  inputs,
})
const allToAll = (from: string): PlanVertex['inputs'] => [{ from: vertexId(from), sendersOf: null }]
const pointwise = (from: string, parallelism: number): PlanVertex['inputs'] => [
  { from: vertexId(from), sendersOf: Array.from({ length: parallelism }, (_, i) => [i]) },
]
const names = (tasks: readonly { vertex: string; subtask: number }[]): string[] => tasks.map((task) => `${task.vertex}${task.subtask}`)
const R = 'RUNNING'
const F = 'FINISHED'

describe('the checkpoint plan (behaviour 2.4)', () => {
  it('all running: trigger the sources, wait for and commit to all', () => {
    const plan = calculatePlan([vertex('s', [R, R]), vertex('m', [R], allToAll('s'))], true)
    if (!plan.ok) throw new Error(plan.error.message)
    expect(names(plan.value.trigger)).toEqual(['s0', 's1'])
    expect(names(plan.value.waitFor)).toEqual(['s0', 's1', 'm0'])
    expect(names(plan.value.commitTo)).toEqual(['s0', 's1', 'm0'])
    expect(plan.value.finished).toEqual([])
  })

  it.each<ExecutionState>(['CREATED', 'SCHEDULED', 'DEPLOYING', 'INITIALIZING', 'CANCELING', 'CANCELED', 'FAILED'])(
    'a task that is %s: NOT_ALL_REQUIRED_TASKS_RUNNING',
    (state) => {
      const plan = calculatePlan([vertex('s', [R, state])], true)
      expect(plan.ok ? null : plan.error.reason).toBe('NOT_ALL_REQUIRED_TASKS_RUNNING')
    },
  )

  it.each<[string, readonly PlanVertex[], readonly string[]]>([
    ['all sources finished: the next vertex is triggered', [vertex('s', [F, F]), vertex('m', [R, R], allToAll('s'))], ['m0', 'm1']],
    ['all-to-all: one running sender disqualifies the whole vertex', [vertex('s', [F, R]), vertex('m', [R, R], allToAll('s'))], ['s1']],
    ['pointwise: evaluated per subtask', [vertex('s', [F, R]), vertex('m', [R, R], pointwise('s', 2))], ['s1', 'm0']],
    ['a chain of finished vertices', [vertex('s', [F]), vertex('m', [F], allToAll('s')), vertex('k', [R], allToAll('m'))], ['k0']],
    ['two inputs, one still running', [vertex('a', [F]), vertex('b', [R]), vertex('m', [R], [...allToAll('a'), ...allToAll('b')])], ['b0']],
  ])('%s', (_, vertices, expected) => {
    const plan = calculatePlan(vertices, true)
    if (!plan.ok) throw new Error(plan.error.message)
    expect(names(plan.value.trigger)).toEqual(expected)
    expect(plan.value.finished.length + plan.value.waitFor.length).toBe(vertices.flatMap((v) => v.tasks).length)
  })

  it('some finished and checkpoints-after-tasks-finish off: rejected', () => {
    expect(calculatePlan([vertex('s', [F, R])], false).ok).toBe(false)
  })

  it('all finished: nothing to checkpoint', () => {
    expect(calculatePlan([vertex('s', [F])], true).ok).toBe(false)
  })
})
