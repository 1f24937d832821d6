/** A laid-out world as the worker that draws needs it. */
import type { OverlayScene } from '../../workers/model/overlay-scene.ts'
import { sampleWire } from './lay-channels.ts'
import type { WorldLayout } from './world-types.ts'

export function sceneOf(world: WorldLayout, deeds: Readonly<Record<string, string>>, linkLatencyMicros: number): OverlayScene {
  return {
    channels: world.channels.map((box) => ({
      channel: box.channel,
      from: box.from,
      to: box.to,
      output: box.output,
      input: box.input,
      bore: box.bore,
      delayMicros: box.delayMicros,
      flagUp: box.flagUp,
      wire: sampleWire(box),
    })),
    subtasks: world.cards.flatMap((card) =>
      card.lanes.map((lane) => ({
        vertex: card.vertex,
        subtask: lane.subtask,
        chamber: card.kind === 'source' ? null : { x: lane.x + chamberAt(card.kind, lane.width), y: lane.y + world.lane.port + (card.kind === 'keyed' && !world.lane.compact ? 6 : 0) },
        deed: deeds[card.vertex] ?? '',
      })),
    ),
    linkLatencyMicros,
  }
}

/** Right of the ribbon's sentence in a keyed card, near the left edge elsewhere. */
const chamberAt = (kind: string, width: number): number => (kind === 'keyed' ? width - 104 : kind === 'sink' ? 46 : 34)
