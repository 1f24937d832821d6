/** Boxes of a world: cards with their lanes, channels with their tubes. World units. */
import type { ChannelId, VertexId } from '../../workers/model/ids.ts'
import type { SceneTube } from '../../workers/model/overlay-scene.ts'
import type { EngineTime } from '../../workers/model/time.ts'

export type CardKind = 'source' | 'keyed' | 'sink' | 'plain'

export interface LaneBox {
  readonly subtask: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Rows of state or of output that fit. */
  readonly rows: number
}

export interface CardBox {
  readonly vertex: VertexId
  readonly kind: CardKind
  readonly column: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly lanes: readonly LaneBox[]
}

export interface ChannelBox {
  readonly channel: ChannelId
  readonly edge: number
  readonly from: { readonly vertex: VertexId; readonly subtask: number }
  readonly to: { readonly vertex: VertexId; readonly subtask: number }
  readonly output: SceneTube
  readonly input: SceneTube
  readonly bore: number
  readonly delayMicros: EngineTime
  readonly flagUp: boolean
}

export interface EdgeLabel {
  readonly edge: number
  readonly x: number
  readonly y: number
}

export interface LaneMeasures {
  readonly height: number
  readonly chamber: number
  /** Where a single port stands, from the top of the lane. */
  readonly port: number
  readonly compact: boolean
}

export interface WorldLayout {
  readonly width: number
  readonly height: number
  /** Bottom of the cards. */
  readonly bottom: number
  readonly lane: LaneMeasures
  readonly cards: readonly CardBox[]
  readonly channels: readonly ChannelBox[]
  readonly labels: readonly EdgeLabel[]
}

/** Output queues, wire, input queues. A fan needs room for its crossing wires. */
export interface Gap {
  readonly output: number
  readonly wire: number
  readonly input: number
}
