/** The drawing worker: takes what the page and the observer send, keeps the shown time, paints when there is something to paint. */
import type { OverlayOptions, OverlayPalette, OverlayScene, OverlayViewport, ToOverlay, TraceSummary } from '../model/overlay-scene.ts'
import type { EngineEvent } from '../model/events.ts'
import type { TaskReport } from '../model/report.ts'
import type { TraceEvent } from '../model/trace.ts'
import { LineageView } from '../projections/lineage-view.ts'
import { FramePace } from './frame-pace.ts'
import { JobRate } from './job-rate.ts'
import { Painter } from './painter.ts'
import { pathOf } from './place-tokens.ts'
import type { ChannelPath } from './place-tokens.ts'
import { ReadHeads } from './read-heads.ts'
import { TokenWorld } from './token-world.ts'

/** The picture is so far behind the engine, in wall milliseconds: what happened then has arrived from every worker by now. */
const LAG_MILLIS = 180
const SUMMARY_MILLIS = 250

interface Batch {
  readonly events: readonly EngineEvent[]
  readonly trace: readonly TraceEvent[]
  readonly reports: readonly TaskReport[]
}

const wallNow = (): number => performance.timeOrigin + performance.now()

export class OverlayLoop {
  private ctx: OffscreenCanvasRenderingContext2D | null = null
  private readonly world = new TokenWorld()
  private readonly painter = new Painter()
  private lineage = new LineageView()
  private heads = new ReadHeads()
  private scene: OverlayScene = { channels: [], subtasks: [], linkLatencyMicros: 0 }
  private paths: readonly ChannelPath[] = []
  private viewport: OverlayViewport = { x: 0, y: 0, zoom: 1, width: 1, height: 1, pixelRatio: 1 }
  private palette: OverlayPalette = {}
  private options: OverlayOptions = { frozen: false, marking: false, reducedMotion: false, stopped: false }
  private clock = { wall: 0, engine: 0, pace: 0 }
  private readonly pace = new FramePace()
  private readonly rate = new JobRate()
  private shown = 0
  private dirty = true
  private lastFrame = 0
  private readonly tell: (summary: TraceSummary) => void
  private painted = { frames: 0, millis: 0, since: 0 }

  constructor(tell: (summary: TraceSummary) => void) {
    this.tell = tell
  }

  receive(message: ToOverlay<OffscreenCanvas, MessagePort>): void {
    // A reading of the clock alone changes nothing that is drawn.
    if (message.type !== 'clock') this.dirty = true
    switch (message.type) {
      case 'start':
        return this.start(message)
      case 'scene':
        this.scene = message.scene
        this.paths = message.scene.channels.map(pathOf)
        this.world.setScene(message.scene)
        return
      case 'viewport':
        this.viewport = message.viewport
        return this.resize()
      case 'palette':
        this.palette = message.palette
        return
      case 'options':
        this.options = message.options
        return
      case 'clock':
        // A job that starts anew starts its clock anew.
        if (message.engine < this.shown - 5_000_000) this.shown = 0
        this.clock = message
    }
  }

  private start({ canvas, port, fonts }: Extract<ToOverlay<OffscreenCanvas, MessagePort>, { type: 'start' }>): void {
    this.ctx = canvas.getContext('2d')
    port.onmessage = (event: MessageEvent<Batch>) => this.take(event.data)
    for (const { family, url, weight } of fonts) {
      void new FontFace(family, `url(${url})`, { weight }).load().then((loaded) => {
        ;(self as unknown as { readonly fonts: FontFaceSet }).fonts.add(loaded)
        this.dirty = true
      })
    }
    this.painted.since = performance.now()
    requestAnimationFrame(this.frame)
    setInterval(() => this.summarize(), SUMMARY_MILLIS)
  }

  private take({ events, trace, reports }: Batch): void {
    for (const event of events) {
      // Another job reads its topics from the beginning: nothing of it was read before.
      if (event.body.type === 'JobSubmitted') {
        this.lineage = new LineageView()
        this.heads = new ReadHeads()
      }
      if (event.body.type === 'RestartScheduled') {
        this.lineage.beginRecovery()
        this.heads.beginRecovery()
      }
      this.heads.rewound(event)
    }
    for (const one of trace) {
      this.lineage.see(one)
      this.heads.see(one)
    }
    this.rate.see(reports, wallNow())
    this.world.add(events, trace.map((one) => this.marked(one)), reports)
  }

  /** The engine does not remember what an earlier attempt has read; the trace does. */
  private marked(trace: TraceEvent): TraceEvent {
    if (trace.type !== 'queued' || trace.record.replayed || !this.heads.isReplayed(trace.record)) return trace
    return { ...trace, record: { ...trace.record, replayed: true } }
  }

  private readonly frame = (): void => {
    requestAnimationFrame(this.frame)
    const wall = wallNow()
    if (!this.pace.mayDraw(wall, this.rate.isFlatOut(wall))) return
    const elapsed = Math.min(0.1, (wall - this.lastFrame) / 1000)
    this.lastFrame = wall
    if (this.ctx === null || this.options.stopped) return
    if (!this.options.frozen) {
      const time = this.clock.engine + (wall - LAG_MILLIS - this.clock.wall) * this.clock.pace * 1000
      this.shown = Math.max(this.shown, time)
      if (this.world.advance(this.shown)) this.dirty = true
    }
    if (!this.dirty && (this.painter.moving === 0 || this.options.frozen)) return
    const begun = performance.now()
    this.painter.paint(this.ctx, {
      world: this.world,
      scene: this.scene,
      paths: this.paths,
      viewport: this.viewport,
      palette: this.palette,
      options: this.options,
      time: this.shown,
      wall,
      elapsed,
    })
    this.dirty = false
    this.painted.frames++
    this.painted.millis += performance.now() - begun
  }

  private resize(): void {
    if (this.ctx === null) return
    const { width, height, pixelRatio } = this.viewport
    const canvas = this.ctx.canvas
    const [w, h] = [Math.max(1, Math.round(width * pixelRatio)), Math.max(1, Math.round(height * pixelRatio))]
    if (canvas.width !== w) canvas.width = w
    if (canvas.height !== h) canvas.height = h
  }

  private summarize(): void {
    const now = performance.now()
    const { frames, millis, since } = this.painted
    this.painted = { frames: 0, millis: 0, since: now }
    this.tell({
      type: 'summary',
      reads: this.heads.toRecord(),
      processedTwice: this.heads.isComplete ? this.lineage.processedTwice : null,
      drawing: { framesPerSecond: (frames * 1000) / Math.max(1, now - since), millisPerFrame: frames === 0 ? 0 : millis / frames, tokens: this.painter.tokens },
    })
  }
}
