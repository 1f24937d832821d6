/**
 * Collects a stream in a Blob piece by piece: each piece is handed to the browser, which may keep it on the disk. (The blob of a Response holds all of
 * it in the worker's memory until the stream ends.)
 */

const PIECE = 1024 * 1024

export class BlobSink {
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>
  private readonly pieces: Blob[] = []
  private chunks: Uint8Array<ArrayBuffer>[] = []
  private length = 0

  constructor() {
    this.writable = new WritableStream({ write: (chunk) => this.push(chunk) })
  }

  /** What has been written. */
  blob(type = ''): Blob {
    this.handOver()
    return new Blob(this.pieces, { type })
  }

  private push(chunk: Uint8Array<ArrayBuffer>): void {
    this.chunks.push(chunk)
    this.length += chunk.length
    if (this.length >= PIECE) this.handOver()
  }

  private handOver(): void {
    if (this.length > 0) this.pieces.push(new Blob(this.chunks))
    this.chunks = []
    this.length = 0
  }
}
