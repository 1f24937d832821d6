import { expect, it } from 'vitest'
import { DelayedLink } from '../../../workers/hosts/browser/delayed-link.ts'
import { channelId } from '../../../workers/model/ids.ts'

it('what is sent arrives after the latency of links, and later while the channel is delayed', () => {
  const link = new DelayedLink(channelId(0, 0, 0), 20)
  expect(link.arrivalOf(100)).toBe(120)
  link.delayMicros = 500
  expect(link.arrivalOf(110)).toBe(630)
})

it('a delay of the document holds from the first thing that is sent', () => {
  expect(new DelayedLink(channelId(0, 0, 0), 20, 300).arrivalOf(100)).toBe(420)
})

it('what is sent after the delay was taken away does not overtake what is on its way', () => {
  const link = new DelayedLink(channelId(0, 0, 0), 20)
  link.delayMicros = 500
  expect(link.arrivalOf(100)).toBe(620)
  link.delayMicros = 0
  expect([link.arrivalOf(110), link.arrivalOf(400), link.arrivalOf(700)]).toEqual([620, 620, 720])
})
