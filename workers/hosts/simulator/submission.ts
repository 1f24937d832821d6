import type { EngineEvent } from '../../model/events.ts'
import type { JobManagerInput } from '../../jobmaster/jobmaster-io.ts'
import type { Cluster } from './cluster.ts'
import type { EventObserver, Receiver, World } from './world.ts'

/** The client: submits the job to the first leader, and again to the next one as long as none has stored it (which begins its statuses). */
export class Submission implements EventObserver, Receiver<'submit'> {
  private readonly world: World
  private readonly cluster: Cluster
  private readonly input: Extract<JobManagerInput, { readonly type: 'submit' }>
  private taken = false

  constructor(world: World, cluster: Cluster, input: Extract<JobManagerInput, { readonly type: 'submit' }>) {
    this.world = world
    this.cluster = cluster
    this.input = input
  }

  start(): void {
    this.world.schedule<'submit'>(this.world.now, this, 'submit')
  }

  observe(event: EngineEvent): void {
    if (event.body.type === 'JobStatusChanged' && event.body.job === this.input.job) this.taken = true
    if (event.body.type === 'LeadershipGranted' && event.body.recoveredJob === null) this.start()
  }

  receive(): void {
    if (!this.taken && this.world.events.some((event) => event.body.type === 'LeadershipGranted')) this.cluster.tellLeader(this.input)
  }
}
