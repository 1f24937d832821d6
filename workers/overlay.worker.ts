/** Entry of the worker that draws everything that moves. */
import type { ToOverlay } from './model/overlay-scene.ts'
import { OverlayLoop } from './overlay/overlay-loop.ts'

const loop = new OverlayLoop((summary) => self.postMessage(summary))
self.onmessage = (event: MessageEvent<ToOverlay<OffscreenCanvas, MessagePort>>) => loop.receive(event.data)
