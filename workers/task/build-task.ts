/** Wires the parts of a task from its deployment. */
import { createBarrierHandler } from '../checkpointing/create-barrier-handler.ts'
import type { BarrierHandler, BarrierHandlerKind } from '../checkpointing/barrier-handler.ts'
import { SubtaskCheckpointCoordinator } from '../checkpointing/subtask-checkpoint-coordinator.ts'
import { Prng, deriveSeed } from '../base/prng.ts'
import type { TaskDeployment, TaskSettings } from '../model/deployment.ts'
import { InputGates } from '../network/input-gates.ts'
import { PendingOutput } from '../network/pending-output.ts'
import { RecordWriter } from '../network/record-writer.ts'
import { ResultPartition } from '../network/result-partition.ts'
import { BufferDebloating } from './buffer-debloating.ts'
import { CheckpointMediator } from './checkpoint-mediator.ts'
import { createOperatorChain } from './create-operator-chain.ts'
import { GateInput } from './gate-input.ts'
import { InFlightRecovery } from './in-flight-recovery.ts'
import { Mailbox } from './mailbox.ts'
import type { OperatorChain } from './operator-chain.ts'
import { RestoreProcedure } from './restore-procedure.ts'
import { SourceInput } from './source-input.ts'
import { TaskEffects } from './task-effects.ts'
import type { StreamTaskEnvironment } from './task-environment.ts'
import type { RecordPermit, TaskInputProcessor } from './task-input-processor.ts'

export interface TaskParts {
  readonly effects: TaskEffects
  readonly gates: InputGates
  readonly writer: RecordWriter
  readonly chain: OperatorChain
  readonly mailbox: Mailbox
  readonly restore: RestoreProcedure
  readonly inFlight: InFlightRecovery
  readonly mediator: CheckpointMediator
  readonly coordinator: SubtaskCheckpointCoordinator
  readonly input: TaskInputProcessor
  /** Null: off, or without inputs. */
  readonly debloating: BufferDebloating | null
  /** One of the two is there. */
  readonly source: SourceInput | null
  readonly handler: BarrierHandler | null
}

export function buildTask(deployment: TaskDeployment, environment: StreamTaskEnvironment): TaskParts {
  const { settings } = deployment
  const effects = new TaskEffects(deployment)
  const gates = new InputGates(deployment.gates, settings.segmentBytes, effects)
  const writer = createWriter(deployment, effects)
  const chain = createOperatorChain(deployment, environment, writer, effects)
  const mediator = new CheckpointMediator(effects, gates, writer)
  // Jobs with the same seed may keep their checkpoints in one directory (create-subdir false).
  const names = new Prng(deriveSeed(deployment.seed, `files ${deployment.job} ${deployment.attempt}`))
  const restored = deployment.restore?.checkpointId ?? null
  const coordinator = new SubtaskCheckpointCoordinator(mediator, settings, chain.nodes, names, restored)
  const permit = new ChainPermit(chain, writer, coordinator, effects)
  const source = chain.isSource ? new SourceInput(chain, effects, permit) : null
  const handler =
    source === null
      ? (environment.createBarrierHandler ?? createBarrierHandler)({
          kind: handlerKind(settings),
          channels: gates.channels.length,
          afterTasksFinish: settings.afterTasksFinish,
          owner: mediator,
        })
      : null
  const gateInput = handler === null ? null : new GateInput(gates, chain, handler, effects, permit)
  mediator.connect(coordinator, gateInput)
  return {
    effects,
    gates,
    writer,
    chain,
    mailbox: new Mailbox(),
    restore: new RestoreProcedure(deployment.restore, effects),
    inFlight: new InFlightRecovery(deployment, gates, writer, effects),
    mediator,
    coordinator,
    debloating:
      settings.debloat?.enabled === true && source === null ? new BufferDebloating(settings.debloat, settings.segmentBytes, gates, effects) : null,
    input: source ?? (gateInput as GateInput),
    source,
    handler,
  }
}

/** Behaviour 6.1. */
function handlerKind({ exactlyOnce, unalignedEnabled }: TaskSettings): BarrierHandlerKind {
  if (!exactlyOnce) return 'at-least-once'
  return unalignedEnabled === true ? 'alternating' : 'aligned'
}

function createWriter(deployment: TaskDeployment, effects: TaskEffects): RecordWriter {
  const pending = new PendingOutput(deployment.traced)
  let firstOutput = 0
  const partitions = deployment.partitions.map((description) => {
    const partition = new ResultPartition({
      description,
      firstOutput,
      subtask: deployment.subtask,
      segmentBytes: deployment.settings.segmentBytes,
      restoredCheckpoint: deployment.restore?.checkpointId ?? 0,
      pending,
      effects,
    })
    firstOutput += description.subpartitions.length
    return partition
  })
  return new RecordWriter(partitions, pending, deployment.settings.bufferTimeoutMicros === 0)
}

class ChainPermit implements RecordPermit {
  private readonly chain: OperatorChain
  private readonly writer: RecordWriter
  private readonly coordinator: SubtaskCheckpointCoordinator
  private readonly effects: TaskEffects

  constructor(chain: OperatorChain, writer: RecordWriter, coordinator: SubtaskCheckpointCoordinator, effects: TaskEffects) {
    this.chain = chain
    this.writer = writer
    this.coordinator = coordinator
    this.effects = effects
  }

  get costMicros(): number {
    return this.chain.costMicros
  }

  mayTakeRecord(): boolean {
    return this.writer.isAvailable && !this.chain.isWaiting && this.effects.failure === null && !this.coordinator.isInSyncPart
  }

  mayHandlePriority(): boolean {
    return !this.writer.isBlocked && !this.chain.isWaiting && this.effects.failure === null && !this.coordinator.isInSyncPart
  }
}
