/** Source splits as tapes: where the read head is, where the last snapshots put their flags, how far it was put back. */
import type { EngineEvent } from '../model/events.ts'
import type { CheckpointId, VertexId } from '../model/ids.ts'
import type { TaskReport } from '../model/report.ts'
import type { EngineTime } from '../model/time.ts'

export interface Flag {
  readonly checkpointId: CheckpointId
  readonly offset: number
}

export interface Tape {
  readonly vertex: VertexId
  readonly subtask: number
  readonly split: string
  readonly partition: number
  /** Offset of the next record to read. */
  readonly head: number
  /** Where the split begins; null as long as no report has told it. Only a part of a sequence begins elsewhere than at 0. */
  readonly first: number | null
  /** Offset after the last record there is. */
  readonly end: number | null
  /** The snapshot's offset, of the newest checkpoint that has one. */
  readonly flag: Flag | null
  /** Of the last checkpoints, oldest first. */
  readonly flags: readonly Flag[]
  /** After a restore, until the head has passed the old frontier. */
  readonly rewound: { readonly from: number; readonly to: number; readonly at: EngineTime; readonly caughtUpAt: EngineTime | null } | null
  readonly idle: boolean
}

export type TapeView = Readonly<Record<string, Tape>>

export const EMPTY_TAPE_VIEW: TapeView = {}
const FLAGS_MAX = 12

export function reduceTapes(view: TapeView, event: EngineEvent): TapeView {
  const { at, body } = event
  switch (body.type) {
    case 'SplitAssigned':
      return set(view, body, body.split, (tape) => placeHead(tape, body.offset, at))
    case 'SourceRewound':
      return set(view, body, body.split, (tape) => placeHead(tape, body.to, at))
    case 'SourceIdle':
      return set(view, body, body.split, (tape) => moveHead({ ...tape, idle: true }, body.offset, at))
    case 'SyncSnapshotEnded': {
      let next = view
      for (const part of body.parts) {
        for (const { split, offset } of part.offsets ?? []) {
          next = set(next, body, split, (tape) => ({ ...tape, flag: { checkpointId: body.checkpointId, offset }, flags: [...tape.flags, { checkpointId: body.checkpointId, offset }].slice(-FLAGS_MAX) }))
        }
      }
      return next
    }
    default:
      return view
  }
}

export function reduceTapeReport(view: TapeView, report: TaskReport): TapeView {
  let next = view
  for (const operator of report.operators) {
    for (const split of operator.splits ?? []) {
      next = set(next, report, split.split, (tape) => ({ ...moveHead(tape, split.offset, report.at), partition: split.partition, first: split.first, end: split.end }))
    }
  }
  return next
}

/** The furthest that any attempt has read. */
export const frontier = (tape: Tape): number => Math.max(tape.head, tape.rewound?.caughtUpAt === null ? tape.rewound.from : 0)

/** How many records of the split lie before an offset. */
export const recordsBefore = (tape: Pick<Tape, 'first'>, offset: number): number => (tape.first === null ? 0 : Math.max(0, offset - tape.first))

/** Records between the restored offset and the old frontier, and how many of them are read again by now. */
export function replayOf(view: TapeView): { readonly total: number; readonly done: number; readonly caughtUp: boolean } {
  let total = 0
  let done = 0
  let caughtUp = true
  for (const { rewound, head } of Object.values(view)) {
    if (rewound === null) continue
    total += rewound.from - rewound.to
    done += Math.min(rewound.from, Math.max(rewound.to, rewound.caughtUpAt === null ? head : rewound.from)) - rewound.to
    if (rewound.caughtUpAt === null) caughtUp = false
  }
  return { total, done, caughtUp }
}

/** A new attempt begins at `offset`: behind the head that the tape had, it is a rewind. */
function placeHead(tape: Tape, offset: number, at: EngineTime): Tape {
  if (tape.head <= offset) return { ...tape, head: offset, idle: false }
  // The snapshot that it came from; later ones were never completed.
  const flags = tape.flags.filter((flag) => flag.offset <= offset)
  return { ...tape, head: offset, idle: false, flags, flag: flags.at(-1) ?? null, rewound: { from: frontier(tape), to: offset, at, caughtUpAt: null } }
}

function moveHead(tape: Tape, head: number, at: EngineTime): Tape {
  const caughtUp = tape.rewound !== null && tape.rewound.caughtUpAt === null && head >= tape.rewound.from
  return { ...tape, head, rewound: caughtUp && tape.rewound !== null ? { ...tape.rewound, caughtUpAt: at } : tape.rewound }
}

function set(view: TapeView, at: { readonly vertex: VertexId; readonly subtask: number }, split: string, change: (tape: Tape) => Tape): TapeView {
  const key = `${at.vertex}/${split}`
  const tape = view[key] ?? {
    vertex: at.vertex,
    subtask: at.subtask,
    split,
    partition: partitionOf(split),
    head: 0,
    first: null,
    end: null,
    flag: null,
    flags: [],
    rewound: null,
    idle: false,
  }
  return { ...view, [key]: change({ ...tape, subtask: at.subtask }) }
}

/** Splits are named `<topic>-<partition>`. */
function partitionOf(split: string): number {
  const match = /(\d+)$/.exec(split)
  return match === null ? 0 : Number(match[1])
}
