/** State in a snapshot does not fit the types of the job that restores it (behaviour 9.5). Flink: StateMigrationException. */
export class StateMigrationError extends Error {
  override readonly name: string = 'StateMigrationError'
}
