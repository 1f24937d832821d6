/** Positions in a split are told as a reader counts: from where the split begins. */
import { expect, it } from 'vitest'
import type { EventBody, SnapshotPart } from '../../../workers/model/events.ts'
import { operatorId } from '../../../workers/model/ids.ts'
import { narrate } from '../../../workers/projections/narration.ts'
import { at, event, GRAPH, SOURCE } from './fixture.ts'

const OPERATOR = operatorId('a'.repeat(32))
const said = (body: EventBody): string => narrate(event(1, body), GRAPH)?.text ?? ''
const split = { operator: OPERATOR, split: '2', ...at(SOURCE, 1) }

it.each<[body: EventBody, words: string]>([
  [{ type: 'SplitAssigned', offset: 500, first: 500, ...split }, 'begins at offset 0'],
  [{ type: 'SplitAssigned', offset: 7, ...split }, 'begins at offset 7'],
  [{ type: 'SourceRewound', to: 620, first: 500, ...split }, 'back to 120'],
  [{ type: 'KeySkewChanged', from: 530, to: 999, skew: 2, first: 500, ...split }, 'from record 30 of split 2'],
])('%j', (body, words) => {
  expect(said(body)).toContain(words)
})

it('what a snapshot notes, too, where splits begin at different positions', () => {
  const parts: readonly SnapshotPart[] = [{ operator: OPERATOR, kind: 'offsets', entries: 2, offsets: [{ split: '1', offset: 40 }, { split: '2', offset: 540, first: 500 }] }]
  expect(said({ type: 'SyncSnapshotEnded', checkpointId: 1, parts, ...at(SOURCE, 1) })).toContain('offset 40 of 1 and offset 40 of 2')
})
