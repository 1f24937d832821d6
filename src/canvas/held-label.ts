/** Where "6 held" stands at the sender's end of a channel. */
import type { ChannelBox } from './world-types.ts'

/**
 * The end of its line: at the far end of the tube, clear of the card and its bottleneck's flag, and of the barriers that enter; on the side where no
 * barrier of this channel flies its flag.
 */
export function heldLabel({ output, bore, flagUp }: Pick<ChannelBox, 'output' | 'bore' | 'flagUp'>): { readonly x: number; readonly y: number } {
  return { x: output.x2 - 4, y: flagUp ? output.y + bore / 2 + 10 : output.y - bore / 2 - 3 }
}
