/** What a target has no place for, or will not take: in words, most important first (behaviour 12.4; formats 3 and 4). */
import type { ExportTarget } from '../model/snapshot-desk.ts'
import type { KeyedRef, OperatorRecord, Savepoint, StreamRef, SubtaskRef } from './model.ts'
import { namedStreams } from './named-streams.ts'
import { kindOf } from './snapshot-facts.ts'

export function* exportLosses(savepoint: Savepoint, target: ExportTarget): Generator<string> {
  yield* ofKind(savepoint)
  yield* ofFiles(namedStreams(savepoint))
  const operators = savepoint.operators
  const subtasks = operators.flatMap((operator) => operator.subtasks)
  if (target === '1.11 to 1.15') yield* ofOldest(savepoint, operators, subtasks)
  if (target === '1.11 to 1.15' || target === '1.16 to 1.20') {
    const named = operators.filter(({ name, uid }) => name !== '' || uid !== '').length
    if (named > 0) yield `names and uids of ${named} operators (from Flink 2.0 on): their ids, by which state is found, stay`
  }
  const reused = subtasks.filter(({ reusedFrom }) => reusedFrom !== null).length
  if (reused > 0) yield `from which earlier checkpoint the state of ${reused} subtasks was taken over (after Flink 2.1)`
}

function* ofKind(savepoint: Savepoint): Generator<string> {
  switch (kindOf(savepoint)) {
    case 'canonical savepoint':
      return
    case 'native savepoint':
      yield 'nothing is converted: a native savepoint is restored by the state backend that wrote it alone; a canonical one by every backend'
      break
    case 'checkpoint':
      yield 'nothing is converted: a checkpoint is restored by the state backend that wrote it alone, and another minor version of Flink may refuse it; take a canonical savepoint for that'
      break
    case 'unaligned checkpoint':
      yield 'nothing is converted: an unaligned checkpoint is restored by the same state backend of the same minor version of Flink alone, into a job of the same topology; take a canonical savepoint for another'
      break
    case 'unknown':
      yield 'nothing is converted: the file does not say whether its state is canonical; only the state backend that wrote it is sure to restore it'
      break
  }
}

function* ofFiles(streams: readonly StreamRef[]): Generator<string> {
  const absolute = streams.filter(({ kind }) => kind === 'file').length
  if (absolute > 0) yield `the absolute paths of ${absolute} handles: their files lie beside _metadata under relative names, so that nothing is shared with other checkpoints any more`
  const segments = streams.filter(({ kind }) => kind === 'segment' || kind === 'empty-segment').length
  if (segments > 0) yield `that ${segments} handles are segments of merged files (from Flink 1.20 on): each has a file of its own`
}

function* ofOldest(savepoint: Savepoint, operators: readonly OperatorRecord[], subtasks: readonly SubtaskRef[]): Generator<string> {
  if (savepoint.properties !== null) yield 'what kind of snapshot it is and when it may be deleted (from Flink 1.16 on): it counts as one that is never deleted'
  const handles = subtasks.flatMap(({ managedKeyed, rawKeyed }) => [managedKeyed, rawKeyed]).filter((handle): handle is KeyedRef => handle !== null)
  if (handles.some((handle) => handle.kind === 'key-groups' && handle.type === 7)) yield 'Flink 1.11 and 1.12 do not read it: the canonical format came with 1.13'
  if (handles.some(({ kind }) => kind !== 'key-groups' && kind !== 'incremental')) yield 'Flink before 1.15 does not read it: it holds state of the changelog backend'
  const finished = operators.some(({ fullyFinished }) => fullyFinished) || subtasks.some((subtask) => subtask.finished)
  if (finished) yield 'Flink before 1.14 does not read it: operators in it have finished, which older versions have no mark for'
}
