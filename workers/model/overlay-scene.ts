/**
 * What the page tells the worker that draws: where channels and subtasks stand (world units), how the world is shown, and what counts as
 * now. Plain data; the drawing itself is in `workers/overlay`.
 */
import type { ChannelId, VertexId } from './ids.ts'
import type { WallTime } from './pace.ts'
import type { EngineTime } from './time.ts'

export interface SceneTube {
  readonly x1: number
  readonly x2: number
  readonly y: number
}

export interface SceneChannel {
  readonly channel: ChannelId
  readonly from: { readonly vertex: VertexId; readonly subtask: number }
  readonly to: { readonly vertex: VertexId; readonly subtask: number }
  /** From the sender's edge to the wire. */
  readonly output: SceneTube
  /** x, y, x, y …: the wire's path, sampled once. */
  readonly wire: readonly number[]
  /** From the wire to the receiver's edge. */
  readonly input: SceneTube
  readonly bore: number
  /** What is sent takes so much longer on its way, by the document. */
  readonly delayMicros: EngineTime
  /** A barrier flies its flag above the tube, else below. */
  readonly flagUp: boolean
}

export interface SceneSubtask {
  readonly vertex: VertexId
  readonly subtask: number
  /** Where the record in work stands; null: not drawn. */
  readonly chamber: { readonly x: number; readonly y: number } | null
  /** What it does with a record, in words: "adds to its count". */
  readonly deed: string
}

export interface OverlayScene {
  readonly channels: readonly SceneChannel[]
  readonly subtasks: readonly SceneSubtask[]
  readonly linkLatencyMicros: EngineTime
}

export interface OverlayViewport {
  readonly x: number
  readonly y: number
  readonly zoom: number
  /** CSS pixels. */
  readonly width: number
  readonly height: number
  readonly pixelRatio: number
}

export interface OverlayOptions {
  /** The picture stands still; what comes meanwhile is caught up afterwards. */
  readonly frozen: boolean
  /** Every record carries the number of the checkpoint that it belongs to. */
  readonly marking: boolean
  readonly reducedMotion: boolean
  /** Nothing will come any more: the drawing stops. */
  readonly stopped: boolean
}

/** CSS custom properties by name without the dashes ("ink", "key-3"), resolved. */
export type OverlayPalette = Readonly<Record<string, string>>

/** A worker has no style sheet: it loads its fonts by itself. */
export interface OverlayFont {
  readonly family: string
  readonly url: string
  readonly weight: string
}

export type ToOverlay<Canvas = unknown, Port = unknown> =
  | { readonly type: 'start'; readonly canvas: Canvas; readonly port: Port; readonly fonts: readonly OverlayFont[] }
  | { readonly type: 'scene'; readonly scene: OverlayScene }
  | { readonly type: 'viewport'; readonly viewport: OverlayViewport }
  | { readonly type: 'palette'; readonly palette: OverlayPalette }
  | { readonly type: 'options'; readonly options: OverlayOptions }
  /** Engine time at a wall time, and how fast it goes from there. */
  | { readonly type: 'clock'; readonly wall: WallTime; readonly engine: EngineTime; readonly pace: number }

/** What only the trace knows, a few times a second. */
export interface TraceSummary {
  readonly type: 'summary'
  /** By `<vertex>_<subtask>`: the last records read and how far. */
  readonly reads: Readonly<Record<string, { readonly partition: number; readonly head: number; readonly recent: readonly { readonly offset: number; readonly label: string }[] }>>
  /** Records worked into state again that had been worked into state before; null while nothing was traced. */
  readonly processedTwice: number | null
  readonly drawing: { readonly framesPerSecond: number; readonly millisPerFrame: number; readonly tokens: number }
}
