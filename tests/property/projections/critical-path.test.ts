import { expect, test } from 'vitest'
import { simulatorOf } from '../../../workers/hosts/simulator/random/random-run.ts'
import type { Simulator } from '../../../workers/hosts/simulator/simulator.ts'
import { findCheckpoint } from '../../../workers/projections/checkpoint-view.ts'
import type { CheckpointRecord } from '../../../workers/projections/checkpoint-view.ts'
import { criticalPath } from '../../../workers/projections/critical-path.ts'
import type { CriticalPath } from '../../../workers/projections/critical-path.ts'
import { channelEnds } from '../../../workers/projections/plan.ts'
import { emptyRunView, reduceRunEvent } from '../../../workers/projections/run-view.ts'

const SEEDS = 12
const END_MICROS = 2_000_000

/** Each segment ends where the next begins, from the trigger to the end, and none is empty. */
function expectSeamless(path: CriticalPath): void {
  let at = 0
  for (const { from, to } of path.segments) {
    expect(from).toBe(at)
    expect(to).toBeGreaterThan(from)
    at = to
  }
  expect(at).toBe(path.durationMicros)
}

/** The chain leads along channels: what comes after a barrier on a channel happens at the receiver, what comes before it at the sender. */
function expectConnected(path: CriticalPath, simulator: Simulator): void {
  path.segments.forEach((segment, index) => {
    const next = path.segments[index + 1]
    if (next === undefined) return
    const sameTask = next.vertex === segment.vertex && next.subtask === segment.subtask
    const ends = next.channel === null ? null : channelEnds(simulator.graph, next.channel)
    const isSender = ends !== null && ends.from.vertex === segment.vertex && ends.from.subtask === segment.subtask
    // A task that passes its barrier on at once has no stretch of its own.
    const isPassedOn = segment.channel !== null && next.channel !== null && segment.channel !== next.channel
    expect(sameTask || isSender || isPassedOn, `${segment.kind} → ${next.kind}`).toBe(true)
  })
}

/** A segment stands where the subtask's own account has it. */
function expectTrue(path: CriticalPath, record: CheckpointRecord): void {
  for (const segment of path.segments) {
    const subtask = record.subtasks.find((one) => one.vertex === segment.vertex && one.subtask === segment.subtask)
    const [from, to] = [segment.from + record.triggeredAt, segment.to + record.triggeredAt]
    if (segment.kind === 'sync') expect([from, to]).toEqual([subtask?.syncStartedAt, subtask?.syncEndedAt])
    if (segment.kind === 'async') expect(to).toBe(subtask?.asyncEndedAt)
    if (segment.kind === 'acknowledgement') expect(to).toBe(subtask?.acknowledgedAt)
    if (segment.kind === 'queue') expect(subtask?.barriers.some(({ channel, at }) => channel === segment.channel && at === to)).toBe(true)
  }
}

test('of every completed checkpoint the segments add up exactly to the duration, whatever the job, the mode and the faults', () => {
  let completed = 0
  const kinds = new Set<string>()
  for (let seed = 1; seed <= SEEDS; seed++) {
    const simulator = simulatorOf(seed)
    simulator.runTo(END_MICROS)
    let view = emptyRunView(simulator.graph)
    for (const event of simulator.events) {
      view = reduceRunEvent(view, event)
      const { body } = event
      if (body.type !== 'CheckpointCompleted') continue
      const record = findCheckpoint(view.checkpoints, body.checkpointId)
      const path = record === undefined ? null : criticalPath(record, simulator.graph, event.at)
      if (record === undefined || path === null) throw new Error(`seed ${seed}: no path for checkpoint ${body.checkpointId}`)
      expect(path.isComplete).toBe(true)
      expect(path.durationMicros, `seed ${seed}, checkpoint ${body.checkpointId}`).toBe(body.durationMicros)
      expectSeamless(path)
      expectConnected(path, simulator)
      expectTrue(path, record)
      for (const { kind } of path.segments) kinds.add(kind)
      completed++
    }
  }
  expect(completed).toBeGreaterThan(40)
  expect([...kinds]).toEqual(expect.arrayContaining(['trigger', 'queue', 'async', 'acknowledgement']))
}, 120_000)

test('of a checkpoint that is under way, or has failed, they add up to its age, after every single event', () => {
  let checked = 0
  for (let seed = 1; seed <= 8; seed++) {
    const simulator = simulatorOf(seed)
    simulator.runTo(300_000)
    let view = emptyRunView(simulator.graph)
    for (const event of simulator.events) {
      view = reduceRunEvent(view, event)
      for (const record of view.checkpoints.history) {
        if (record.status === 'COMPLETED') continue
        const path = criticalPath(record, simulator.graph, event.at)
        expect(path).not.toBeNull()
        if (path === null) continue
        expectSeamless(path)
        expect(path.durationMicros).toBe((record.endedAt ?? event.at) - record.triggeredAt)
        checked++
      }
    }
  }
  expect(checked).toBeGreaterThan(1000)
}, 120_000)
