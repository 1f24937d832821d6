/** The handles of a subtask in the words of the page: what kind, where, how large, which files are shared. */
import type { HandleView, PlaceView } from '../model/snapshot-view.ts'
import type { ChannelRef, KeyedRef, OperatorRef, StreamRef, SubtaskRef } from './model.ts'
import { streamSize } from './model.ts'
import type { SnapshotFiles } from './read-plan.ts'

type Role = HandleView['role']
type Details = HandleView['details']

/** Every handle of a subtask; each file it names is referred to once. */
export function handleViews(subtask: SubtaskRef, files: SnapshotFiles): HandleView[] {
  const views: HandleView[] = []
  for (const [role, handle] of [['managed operator', subtask.managedOperator], ['raw operator', subtask.rawOperator]] as const) {
    if (handle !== null) views.push(operatorHandle(role, handle, files))
  }
  for (const [role, handle] of [['managed keyed', subtask.managedKeyed], ['raw keyed', subtask.rawKeyed]] as const) {
    if (handle !== null) views.push(keyedHandle(role, handle, files))
  }
  for (const [role, handles] of [['input channels', subtask.input], ['output channels', subtask.output]] as const) {
    if (handles.length > 0) views.push(channelHandle(role, handles, files))
  }
  return views
}

/** How a stream is found: in `_metadata`, relative to it, or by an absolute path that a moved copy does not follow. */
function placeView(stream: StreamRef | null, files: SnapshotFiles): PlaceView | null {
  if (stream === null) return null
  const size = streamSize(stream)
  switch (stream.kind) {
    case 'bytes':
      return { where: 'inline', path: stream.name, size, file: null }
    case 'empty-segment':
      return { where: 'nowhere', path: '', size: 0, file: null }
    case 'relative':
      return { where: 'relative', path: stream.name, size, file: files.refer(stream) }
    case 'file':
      return { where: 'absolute', path: stream.path, size, file: files.refer(stream) }
    case 'segment':
      return { where: 'segment', path: stream.path, size, file: files.refer(stream) }
  }
}

function operatorHandle(role: Role, handle: OperatorRef, files: SnapshotFiles): HandleView {
  const details: Details = [
    ...handle.states.map(({ name, mode, offsets }) => [name, `${mode}, ${offsets.length} ${mode === 'BROADCAST' ? 'map' : 'elements'}`] as const),
    ...(handle.merged === null ? [] : ([['shared directory', handle.merged.sharedDirectory], ['task-owned directory', handle.merged.taskOwnedDirectory]] as const)),
  ]
  const place = placeView(handle.stream, files)
  return { role, kind: handle.merged === null ? 'operator state' : 'operator state in a merged file', keyGroups: null, place, files: [], size: place?.size ?? 0, details }
}

function keyedHandle(role: Role, handle: KeyedRef, files: SnapshotFiles): HandleView {
  const base = { role, keyGroups: handle.range }
  switch (handle.kind) {
    case 'key-groups': {
      const place = placeView(handle.stream, files)
      const kind = handle.type === 7 ? 'canonical savepoint' : role === 'raw keyed' ? 'raw keyed state' : 'key groups in one file'
      return { ...base, kind, place, files: [], size: place?.size ?? 0, details: handle.id === null ? [] : [['id', handle.id]] }
    }
    case 'incremental': {
      const place = placeView(handle.meta, files)
      const parts = ([['shared', handle.shared], ['private', handle.private]] as const).flatMap(([which, list]) =>
        list.flatMap(({ name, stream }) => {
          const at = placeView(stream, files)
          return at === null ? [] : [{ name, isShared: which === 'shared', place: at }]
        }),
      )
      const details: Details = [['checkpoint', String(handle.checkpointId)], ['backend', handle.backendId], ...(handle.checkpointedSize === null ? [] : ([['new in this checkpoint', `${handle.checkpointedSize} bytes`]] as const))]
      return { ...base, kind: 'RocksDB or ForSt, incremental', place, files: parts, size: sizeOf(place, parts), details }
    }
    case 'changelog':
      return changelogHandle(role, handle, files)
    case 'changes': {
      const size = handle.changes.reduce((sum, change) => sum + change.bytes.length, 0)
      return { ...base, kind: 'changes, inline', place: null, files: [], size, details: [['changes', `${handle.changes.length}, from ${handle.from} to ${handle.to}`]] }
    }
    case 'change-files': {
      const parts = handle.files.flatMap(({ offset, stream }, i) => {
        const at = placeView(stream, files)
        return at === null ? [] : [{ name: `changes ${i} from byte ${offset}`, isShared: false, place: at }]
      })
      return { ...base, kind: 'changes, in files', place: null, files: parts, size: handle.size, details: handle.storage === null ? [] : [['storage', handle.storage]] }
    }
  }
}

function changelogHandle(role: Role, handle: Extract<KeyedRef, { kind: 'changelog' }>, files: SnapshotFiles): HandleView {
  const parts = [...handle.materialized, ...handle.increments].flatMap((part) => (part === null ? [] : [keyedHandle(role, part, files)]))
  const details: Details = [['materialised', `${handle.materialized.length} handles, number ${handle.materializationId}`], ['increments', `${handle.increments.length} handles`]]
  return {
    role,
    kind: 'changelog',
    keyGroups: handle.range,
    place: null,
    files: parts.flatMap((part) => [...(part.place === null ? [] : [{ name: part.kind, isShared: false, place: part.place }]), ...part.files]),
    size: parts.reduce((sum, part) => sum + part.size, 0),
    details,
  }
}

/** Channels share files: each file counts once. */
function channelHandle(role: Role, handles: readonly ChannelRef[], files: SnapshotFiles): HandleView {
  const places = new Map<string, PlaceView>()
  for (const { stream } of handles) {
    const place = placeView(stream, files)
    if (place !== null) places.set(`${place.where}/${place.path}`, place)
  }
  const channels = handles.flatMap((handle) => handle.channels)
  const buffers = channels.reduce((sum, channel) => sum + channel.offsets.length, 0)
  const parts = [...places.values()].map((place) => ({ name: 'buffers', isShared: true, place }))
  const size = handles.reduce((sum, handle) => sum + handle.size, 0)
  return { role, kind: 'in-flight data', keyGroups: null, place: null, files: parts, size, details: [['channels', String(channels.length)], ['buffers', String(buffers)]] }
}

const sizeOf = (place: PlaceView | null, parts: HandleView['files']): number => (place?.size ?? 0) + parts.reduce((sum, part) => sum + part.place.size, 0)
