/** Events of an operator coordinator around a checkpoint (behaviour 2.6): none that follows its cut reaches a subtask before the subtask's own cut. */
import { describe, expect, it } from 'vitest'
import { OperatorCoordinatorHolder } from '../../../workers/jobmaster/operator-coordinator-holder.ts'
import type { OperatorEvent } from '../../../workers/model/control.ts'
import { operatorId, vertexId } from '../../../workers/model/ids.ts'
import type { OperatorCoordinator } from '../../../workers/operators/operator-coordinator.ts'

const EVENT: OperatorEvent = { type: 'reader-registered', subtask: 0 }

function holder(): { readonly holder: OperatorCoordinatorHolder; readonly sent: number[]; readonly heard: string[] } {
  const sent: number[] = []
  const heard: string[] = []
  const coordinator: OperatorCoordinator = {
    start: () => undefined,
    onReaderEvent: () => undefined,
    onSubtaskReset: (subtask) => heard.push(`reset ${subtask}`),
    checkpoint: (id) => {
      heard.push(`checkpoint ${id} after ${sent.length}`)
      return new Uint8Array([id])
    },
    notifyCheckpointComplete: (id) => heard.push(`complete ${id}`),
  } as OperatorCoordinator
  const gateway = { sendOperatorEvent: (_vertex: unknown, subtask: number) => sent.push(subtask), setProcessingBacklog: () => undefined }
  const made = new OperatorCoordinatorHolder(operatorId('a'.repeat(32)), vertexId('b'.repeat(32)), 2, coordinator, gateway)
  made.start(null)
  return { holder: made, sent, heard }
}

describe('events of a coordinator', () => {
  it('go at once while there is no checkpoint, and are held back from its snapshot on', () => {
    const { holder: held, sent, heard } = holder()
    held.sendEvent(0, EVENT)
    expect(held.checkpoint(1)).toEqual(new Uint8Array([1]))
    held.sendEvent(0, EVENT)
    expect([sent, heard]).toEqual([[0], ['checkpoint 1 after 1']])
  })

  it('are released to the subtask that has acknowledged, in order, and to no other', () => {
    const { holder: held, sent } = holder()
    held.checkpoint(1)
    for (const subtask of [1, 0, 1]) held.sendEvent(subtask, EVENT)
    held.subtaskAcknowledged(1, 1)
    expect(sent).toEqual([1, 1])
    held.sendEvent(1, EVENT)
    held.sendEvent(0, EVENT)
    expect(sent).toEqual([1, 1, 1])
    held.subtaskAcknowledged(1, 0)
    expect(sent).toEqual([1, 1, 1, 0, 0])
  })

  it('wait for all checkpoints whose cut the coordinator has made', () => {
    const { holder: held, sent } = holder()
    held.checkpoint(1)
    held.checkpoint(2)
    held.sendEvent(0, EVENT)
    held.subtaskAcknowledged(2, 0)
    expect(sent).toEqual([])
    held.subtaskAcknowledged(1, 0)
    expect(sent).toEqual([0])
  })

  it('are released to all when the checkpoint ends without the acknowledgements', () => {
    const { holder: held, sent } = holder()
    held.checkpoint(1)
    held.sendEvent(0, EVENT)
    held.sendEvent(1, EVENT)
    held.checkpointEnded(1)
    expect(sent).toEqual([0, 1])
  })

  it('for a subtask that starts anew are dropped, since it registers again', () => {
    const { holder: held, sent, heard } = holder()
    held.checkpoint(1)
    held.sendEvent(0, EVENT)
    held.onSubtaskReset(0, null)
    held.sendEvent(0, EVENT)
    held.checkpointEnded(1)
    expect([sent, heard.at(-1)]).toEqual([[0], 'reset 0'])
  })

  it('a snapshot that fails holds nothing back', () => {
    const { holder: held, sent } = holder()
    Object.assign(held, { coordinator: { checkpoint: () => { throw new Error('broken') } } })
    expect(() => held.checkpoint(1)).toThrow('broken')
    held.sendEvent(0, EVENT)
    expect(sent).toEqual([0])
  })
})
