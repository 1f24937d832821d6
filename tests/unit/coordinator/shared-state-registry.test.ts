import { describe, expect, it } from 'vitest'
import { SharedStateRegistry } from '../../../workers/coordinator/shared-state-registry.ts'
import { operatorId } from '../../../workers/model/ids.ts'
import type { SharedStateHandle } from '../../../workers/model/state-handles.ts'

const file = (name: string, size = 10): SharedStateHandle => ({ kind: 'file', path: `/c/shared/${name}`, size })
const placeholder = (name: string, size = 10): SharedStateHandle => ({ ...file(name, size), kind: 'placeholder' })
const subtask = (...handles: SharedStateHandle[]) => ({ managedOperator: null, managedKeyed: null, shared: handles.map((handle) => ({ name: 'sst', handle })) })
const OPERATOR = operatorId('0'.repeat(32))
const snapshot = (...handles: SharedStateHandle[]) => ({ operators: [{ operatorId: OPERATOR, state: subtask(...handles) }] })
const restored = (checkpointId: number, names: string[], owner: { isSavepoint?: boolean; isUnclaimed?: boolean } = {}) => ({
  checkpointId,
  location: `/c/chk-${checkpointId}`,
  operatorStates: [{ name: '', uid: '', operatorId: OPERATOR, parallelism: 1, maxParallelism: 128, coordinatorState: null, subtasks: [{ index: 0, state: subtask(...names.map((name) => file(name))) }] }],
  ...owner,
})

describe('the shared-state registry (behaviour 5.3)', () => {
  it('a file goes when the last checkpoint that uses it is subsumed', () => {
    const registry = new SharedStateRegistry()
    registry.registerAll(snapshot(file('1'), file('2')), 1)
    registry.registerAll(snapshot(placeholder('2'), file('3')), 2)
    expect(registry.unregisterUnused(1).files).toEqual([])
    expect(registry.unregisterUnused(2).files).toEqual(['/c/shared/1'])
    expect(registry.unregisterUnused(3).files).toEqual(['/c/shared/2', '/c/shared/3'])
    expect(registry.files).toEqual([])
  })

  it('a placeholder is replaced by the file registered before; registering again only raises its last use', () => {
    const registry = new SharedStateRegistry()
    registry.register(file('1'), 1)
    expect(registry.registerAll(snapshot(placeholder('1')), 4)).toEqual(snapshot(file('1')))
    registry.register(file('1'), 2)
    expect(registry.unregisterUnused(4).files).toEqual([])
    expect(registry.unregisterUnused(5).files).toEqual(['/c/shared/1'])
  })

  it('a placeholder of an unknown file, and a known file of another length, are illegal', () => {
    const registry = new SharedStateRegistry()
    expect(() => registry.register(placeholder('1'), 1)).toThrow('Attempt to reference unknown state: /c/shared/1')
    registry.register(file('1'), 1)
    expect(() => registry.register(file('1', 11), 2)).toThrow(/registered with 10 bytes/)
  })

  it('a snapshot without shared files is left as it is', () => {
    const plain = { operators: [{ operatorId: OPERATOR, state: { managedOperator: null, managedKeyed: null } }] }
    expect(new SharedStateRegistry().registerAll(plain, 1)).toBe(plain)
  })

  it('files of a snapshot that is not claimed are never handed out, those of the job’s own are', () => {
    const registry = new SharedStateRegistry()
    registry.registerRestored(restored(7, ['theirs'], { isUnclaimed: true }))
    registry.registerAll(snapshot(placeholder('theirs'), file('ours')), 8)
    expect(registry.unregisterUnused(100).files).toEqual(['/c/shared/ours'])
  })

  it('files of a claimed one are', () => {
    const registry = new SharedStateRegistry()
    registry.registerRestored(restored(7, ['once-theirs']))
    expect(registry.unregisterUnused(8)).toEqual({ files: ['/c/shared/once-theirs'], creatorsInUse: new Set() })
  })

  it('a claimed savepoint is in use as long as one of its files is', () => {
    const registry = new SharedStateRegistry()
    registry.registerRestored(restored(7, ['a', 'b'], { isSavepoint: true }))
    registry.registerAll(snapshot(placeholder('a')), 8)
    expect(registry.unregisterUnused(8)).toEqual({ files: ['/c/shared/b'], creatorsInUse: new Set([7]) })
    expect(registry.unregisterUnused(9)).toEqual({ files: ['/c/shared/a'], creatorsInUse: new Set() })
  })
})
