import { describe, expect, it } from 'vitest'
import { receiversOf, sendersOf } from '../../../workers/jobmaster/channel-wiring.ts'
import { vertexId } from '../../../workers/model/ids.ts'
import type { Ship } from '../../../workers/model/job-document.ts'
import { bare } from '../../../workers/model/schema.ts'

const edge = (ship: Ship) => ({ index: 0, from: vertexId('a'), to: vertexId('b'), input: 0, ship, by: [], schema: bare('Long') })

describe('channels of an edge', () => {
  it.each<[Ship, number, number, number[][]]>([
    ['forward', 3, 3, [[0], [1], [2]]],
    ['rescale', 2, 4, [[0, 1], [2, 3]]],
    ['rescale', 4, 2, [[0], [0], [1], [1]]],
    ['rescale', 2, 3, [[0, 1], [2]]],
    ['rescale', 3, 2, [[0], [1], [1]]],
    ['hash', 2, 3, [[0, 1, 2], [0, 1, 2]]],
    ['rebalance', 2, 1, [[0], [0]]],
    ['broadcast', 1, 2, [[0, 1]]],
  ])('%s %i → %i', (ship, senders, receivers, expected) => {
    expect(Array.from({ length: senders }, (_, sender) => receiversOf(edge(ship), sender, senders, receivers))).toEqual(expected)
  })

  it('pointwise: every receiver has a sender, and both ends agree', () => {
    for (let senders = 1; senders <= 7; senders++) {
      for (let receivers = 1; receivers <= 7; receivers++) {
        for (let receiver = 0; receiver < receivers; receiver++) {
          const from = sendersOf(edge('rescale'), receiver, senders, receivers)
          expect(from.length).toBeGreaterThan(0)
          for (const sender of from) expect(receiversOf(edge('rescale'), sender, senders, receivers)).toContain(receiver)
        }
      }
    }
  })
})
