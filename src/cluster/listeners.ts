/** A set of listeners of one kind. One that throws does not keep the others from hearing. */
export class Listeners<T> {
  private readonly all = new Set<(value: T) => void>()

  add(listener: (value: T) => void): () => void {
    this.all.add(listener)
    return () => this.all.delete(listener)
  }

  tell(value: T): void {
    for (const listener of this.all) {
      try {
        listener(value)
      } catch (error) {
        reportError(error)
      }
    }
  }
}
