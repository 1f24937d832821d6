/**
 * Going on after letting messages in. Only a message posted to oneself does: promises and `scheduler.yield()` starve message ports, and
 * `setTimeout(0)` costs four milliseconds.
 */
export class SelfPost {
  private readonly channel = new MessageChannel()
  private posted = false

  constructor(onTurn: () => void) {
    this.channel.port1.onmessage = () => {
      this.posted = false
      onTurn()
    }
  }

  get isRequested(): boolean {
    return this.posted
  }

  /** Asks for one turn; asking again before it came changes nothing. */
  request(): void {
    if (this.posted) return
    this.posted = true
    this.channel.port2.postMessage(null)
  }

  close(): void {
    this.channel.port1.close()
  }
}
