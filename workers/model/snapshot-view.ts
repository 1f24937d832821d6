/**
 * What the page shows of any snapshot of Flink's, ours or another's: plain data, made by savepoint/open-snapshot.ts. What could not be
 * read is told as such and shown as class name, size and first bytes.
 */

/** A decoded value. A Long that is no exact number is a bigint. */
export type ValueView =
  | null
  | boolean
  | number
  | bigint
  | string
  /** A value that JavaScript has no type for: `2024-05-01`, a decimal, an enum's constant. */
  | { readonly kind: 'text'; readonly type: string; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ValueView[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [ValueView, ValueView])[] }
  | { readonly kind: 'record'; readonly type: string; readonly fields: readonly { readonly name: string; readonly value: ValueView }[] }
  | { readonly kind: 'bytes'; readonly size: number; readonly hex: string }
  /** Not decoded: `type` is the class that nobody here knows, or what is wrong with the bytes. `hex` holds the first bytes of `size`. */
  | { readonly kind: 'opaque'; readonly type: string; readonly size: number; readonly hex: string }

/** One entry of state. Null parts are those that its kind does not have. */
export interface EntryView {
  readonly subtask: number
  /** Null for operator state. */
  readonly keyGroup: number | null
  readonly key: ValueView
  /** Null without one: outside windows. */
  readonly namespace: ValueView
  /** Of a map state that is stored entry by entry, and of broadcast state. */
  readonly mapKey?: ValueView
  /** A timer's is its timestamp. */
  readonly value: ValueView
}

export interface StateView {
  readonly name: string
  /** Where it is kept; `raw timers` are those of old RocksDB jobs with heap timers. */
  readonly kind: 'keyed' | 'timers' | 'raw timers' | 'list' | 'union' | 'broadcast'
  /** `VALUE`, `LIST`, `MAP`, `REDUCING`, `AGGREGATING` of keyed state, else ''. */
  readonly type: string
  /** In words, '' where there is none or it is not known. */
  readonly keyType: string
  readonly namespaceType: string
  readonly valueType: string
  /** Of all subtasks, as far as they were read. */
  readonly entries: number
  /** How many of these have a part that could not be decoded. */
  readonly opaque: number
  /** Some entries, evenly spread over all of them in their order; `entries` counts all. */
  readonly sample: readonly EntryView[]
  /** False: not all entries were read (a budget, a missing file, RocksDB's own files). `problems` of the snapshot say why. */
  readonly isComplete: boolean
}

/** Where the bytes of a handle are. */
export interface PlaceView {
  /** `inline`: in `_metadata`. `segment`: in a file that several subtasks share. */
  readonly where: 'inline' | 'relative' | 'absolute' | 'segment' | 'nowhere'
  /** As the handle has it; a name for inline bytes. */
  readonly path: string
  readonly size: number
  /** The file of the directory that it was found as; null when it is missing. Inline: null. */
  readonly file: string | null
}

export interface HandleView {
  readonly role: 'managed keyed' | 'raw keyed' | 'managed operator' | 'raw operator' | 'input channels' | 'output channels'
  /** In words: `canonical savepoint`, `HashMap backend`, `RocksDB, incremental` … */
  readonly kind: string
  readonly keyGroups: { readonly start: number; readonly end: number } | null
  /** The bytes of the handle itself (of RocksDB: the header), then its files. */
  readonly place: PlaceView | null
  readonly files: readonly { readonly name: string; readonly isShared: boolean; readonly place: PlaceView }[]
  readonly size: number
  /** What else it says: ids, checkpoint, counts of changes. */
  readonly details: readonly (readonly [string, string])[]
}

export interface SubtaskView {
  readonly index: number
  readonly isFinished: boolean
  readonly handles: readonly HandleView[]
  readonly size: number
  /** The checkpoint that the state is really of (version 7). */
  readonly reusedFrom: number | null
}

/** State of a coordinator, or of readers, that names positions in a source. */
export interface OffsetView {
  readonly split: string
  readonly position: ValueView
  readonly end: ValueView
}

export interface CoordinatorView {
  readonly size: number
  readonly hex: string
  /** What kind of state it was understood as; '' when it was not. */
  readonly kind: string
  readonly offsets: readonly OffsetView[]
}

export interface OperatorView {
  readonly operatorId: string
  /** Empty where the file has none (before Flink 2.0, or no uid was set). */
  readonly name: string
  readonly uid: string
  readonly parallelism: number
  readonly maxParallelism: number
  readonly isFullyFinished: boolean
  readonly coordinator: CoordinatorView | null
  /** Positions of source readers, where the format of the splits is known. */
  readonly offsets: readonly OffsetView[]
  readonly states: readonly StateView[]
  readonly subtasks: readonly SubtaskView[]
  readonly inFlight: { readonly inputChannels: number; readonly outputChannels: number; readonly buffers: number; readonly size: number }
  readonly size: number
}

export interface FileView {
  readonly name: string
  readonly size: number
  /** How many handles refer to it. 0: nobody does. */
  readonly references: number
  readonly isShared: boolean
}

export interface SnapshotView {
  readonly version: number
  /** `Flink 1.16 to 1.20`. */
  readonly writtenBy: string
  readonly checkpointId: number
  readonly metadataSize: number
  readonly properties: readonly (readonly [string, string])[]
  readonly masterStates: readonly { readonly name: string; readonly version: number; readonly size: number; readonly hex: string }[]
  readonly operators: readonly OperatorView[]
  readonly files: readonly FileView[]
  /** Paths of handles whose file is not in the directory. */
  readonly missing: readonly string[]
  /** Handles that name an absolute path: a moved copy finds these only where they are. */
  readonly absolutePaths: number
  readonly size: number
  readonly problems: readonly { readonly operatorId: string; readonly subtask: number | null; readonly message: string }[]
}
