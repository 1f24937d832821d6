/** Copies of keyed state at the TaskManager, on the whole simulated cluster. */
import { describe, expect, it } from 'vitest'
import { SimulatorView } from '../../../workers/hosts/simulator/simulator-view.ts'
import type { Simulator } from '../../../workers/hosts/simulator/simulator.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { Fault } from '../../../workers/model/scenario-document.ts'
import { C, SECOND, all, checkpoint, countJob, start } from './storage-jobs.ts'

const LOCAL = { [`${C}dir`]: 'file:///checkpoints', [`${C}data-inline-threshold`]: '0 b', 'state.backend.local-recovery': true }

/** A checkpoint, then the fault; what the two counting tasks have restored from. */
function restoredAfter(fault: Fault, config: JobDocument['config'] = LOCAL): { readonly simulator: Simulator; readonly sources: readonly string[] } {
  const simulator = start(countJob(config, { playground: { taskManagers: 2, slotsPerTaskManager: 1 } }))
  simulator.runTo(SECOND)
  expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted' })
  simulator.inject(fault)
  simulator.runTo(simulator.now + 10 * SECOND)
  const keyed = all(simulator, 'StateRestored').filter(({ keys }) => keys > 0)
  return { simulator, sources: keyed.map(({ bytes, localBytes }) => (localBytes === undefined ? 'remote' : localBytes === bytes ? 'local' : 'both')) }
}

describe('task-local recovery', () => {
  const killed: Fault = { kind: 'kill-subtask', uid: 'count', subtask: 0 }

  it('a task that is restarted on its TaskManager reads the copy', () => {
    expect(restoredAfter(killed).sources).toEqual(['local', 'local'])
  })

  it('what has lost its TaskManager reads storage, the others their copies', () => {
    expect([...restoredAfter({ kind: 'kill-task-manager', index: 0 }).sources].sort()).toEqual(['local', 'remote'])
  })

  it('without the option everything comes from storage', () => {
    expect(restoredAfter(killed, { ...LOCAL, 'state.backend.local-recovery': false }).sources).toEqual(['remote', 'remote'])
  })

  it('copies that are kept are not read without from-local', () => {
    const { 'state.backend.local-recovery': _, ...files } = LOCAL
    expect(restoredAfter(killed, { ...files, [`${C}local-backup.enabled`]: true }).sources).toEqual(['remote', 'remote'])
  })

  it('the files are in storage all the same, and the result is exactly once', () => {
    const simulator = start(countJob(LOCAL, { playground: { taskManagers: 2, slotsPerTaskManager: 1 } }))
    simulator.runTo(SECOND)
    checkpoint(simulator)
    const files = simulator.files('/checkpoints/').filter(({ path }) => !path.endsWith('/_metadata'))
    expect(files.length).toBeGreaterThanOrEqual(2)
    simulator.inject(killed)
    simulator.runTo(simulator.now + 20 * SECOND)
    checkpoint(simulator)
    simulator.runTo(simulator.now + SECOND)
    expect(new SimulatorView(simulator).exactlyOnce()).toBeNull()
    expect(simulator.watch.first).toBeNull()
  })

  it('not of savepoints, which never are a recovery point', () => {
    const simulator = start(countJob(LOCAL))
    simulator.runTo(SECOND)
    simulator.triggerSavepoint('/savepoints', 'NATIVE')
    simulator.runUntilEvent(({ body }) => body.type === 'CheckpointCompleted', simulator.now + 10 * SECOND)
    const stores = simulator.cluster.taskManagers.map(({ localState }) => localState)
    for (const { path } of simulator.files('/savepoints/')) expect(stores.map((store) => store.read(path))).toEqual(stores.map(() => null))
  })
})
