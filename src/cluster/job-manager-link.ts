/** The JobManager that leads: its worker, its comlink surface, its fencing token. */
import type { Remote } from 'comlink'
import { fencingToken, type FencingToken, type TaskManagerId } from '../../workers/model/ids.ts'
import type { JobManagerMessage, ToJobManager } from '../../workers/hosts/browser/messages.ts'
import type { JobManagerSurface } from '../../workers/hosts/browser/requests.ts'
import type { ClockOwner } from './clock-owner.ts'
import { nextFencingToken } from './leadership.ts'
import { surfaceChannel, type ClusterServices } from './services.ts'
import { startJobManagerWorker } from './worker-urls.ts'
import { WorkerLink, type LinkListener } from './worker-link.ts'

export class JobManagerLink {
  readonly token: FencingToken
  readonly surface: Remote<JobManagerSurface>
  readonly link: WorkerLink<ToJobManager, JobManagerMessage>

  constructor(clock: ClockOwner, services: ClusterServices, listener: LinkListener<JobManagerMessage>, previous: number) {
    this.token = fencingToken(nextFencingToken(previous))
    this.link = new WorkerLink('JobManager', startJobManagerWorker(), listener, clock.schedule.epoch)
    const { port, remote } = surfaceChannel<JobManagerSurface>()
    this.surface = remote
    const storage = services.openStorage(null)
    const observer = services.openObserver('jobmanager')
    const clusterSeed = crypto.getRandomValues(new Int32Array(1))[0] ?? 1
    this.link.send(
      { type: 'start', token: this.token, clusterSeed, schedule: clock.schedule, surface: port, storage, observer },
      [port, storage, observer],
    )
  }

  connect(taskManager: TaskManagerId, port: MessagePort): void {
    this.link.send({ type: 'task-manager', taskManager, port }, [port])
  }

  terminate(): void {
    this.link.terminate()
  }
}
