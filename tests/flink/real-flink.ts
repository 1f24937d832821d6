/** Real Flink as a command: built with the machine's Maven, run with its JDK, in a folder below `.cache`. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExportTarget } from '../../workers/model/snapshot-desk.ts'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import type { Entry } from './entries.ts'

const here = dirname(fileURLToPath(import.meta.url))
const CACHE = join(here, '..', '..', '.cache', 'flink')
/** Kryo and the like look into the JDK; Flink's own scripts open these too. */
const OPENED = ['java.util', 'java.lang', 'java.time', 'java.nio', 'java.util.concurrent'].map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`)
const LIMIT_MILLIS = 15 * 60 * 1000

/** Real Flink is not to be had here: no JDK, no Maven, or nothing to load it from. */
export class NoFlinkError extends Error {}

export interface StateSpec {
  readonly name: string
  readonly kind: string
  readonly type: string
  readonly keyType: string
  readonly namespaceType: string
  readonly valueType: string
  readonly hasTimeToLive: boolean
}

export interface RestoreRequest {
  readonly name: string
  /** A directory on the disk. */
  readonly snapshot: string
  readonly backend: 'hashmap' | 'rocksdb'
  readonly parallelism: number
  readonly operators: readonly { readonly uid: string; readonly keyType: string; readonly maxParallelism: number; readonly states: readonly StateSpec[] }[]
}

/** Exactly one of the two. */
export interface RestoreAnswer {
  readonly name: string
  readonly entries?: readonly Entry[]
  readonly failure?: string
}

/** The word count of Words.java, from a snapshot to its end. */
export interface WordsRequest {
  readonly name: string
  readonly snapshot: string
  readonly backend: 'hashmap' | 'rocksdb'
  readonly parallelism: number
  readonly records: number
  readonly word: string
}

export interface WordsAnswer {
  readonly counts?: Readonly<Record<string, number>>
  readonly failure?: string
}

/** In hexadecimal digits: elements of the readers' list state, and the coordinator's state. */
export interface OffsetsRequest {
  readonly name: string
  readonly splits: readonly string[]
  readonly coordinator: string
}

export interface OffsetsAnswer {
  readonly splits?: readonly string[]
  readonly enumerator?: readonly string[]
  readonly failure?: string
}

export class RealFlink {
  readonly version: string
  private readonly build: string
  private readonly classpath: string

  /** Throws `NoFlinkError` with the reason. */
  constructor(version: string) {
    this.version = version
    this.build = join(CACHE, version)
    for (const tool of ['java', 'mvn']) if (spawnSync(tool, ['-version']).status !== 0) throw new NoFlinkError(`there is no ${tool} here`)
    const paths = join(this.build, 'classpath.txt')
    const maven = spawnSync('mvn', ['-q', '-B', '-f', join(here, 'pom.xml'), `-Dflink.version=${version}`, 'compile', 'dependency:build-classpath', `-Dmdep.outputFile=${paths}`], { encoding: 'utf8', timeout: LIMIT_MILLIS })
    if (maven.status !== 0) throw new NoFlinkError(`Maven could not build Flink ${version}:\n${maven.stdout}${maven.stderr}`)
    this.classpath = `${join(this.build, 'classes')}${delimiter}${readFileSync(paths, 'utf8').trim()}`
  }

  /** What is exported here for it. */
  get target(): ExportTarget {
    return this.version.startsWith('2.0.') ? '2.0' : '2.1 and later'
  }

  /** A folder for this run's files. */
  folder(name: string): string {
    const path = join(this.build, name)
    mkdirSync(path, { recursive: true })
    return path
  }

  /** Throws with Flink's own words when it fails. */
  run(...args: readonly string[]): void {
    const result = spawnSync('java', [...OPENED, '-Xmx2g', '-cp', this.classpath, 'weir.Main', ...args], { encoding: 'utf8', timeout: LIMIT_MILLIS, maxBuffer: 1 << 26 })
    if (result.status !== 0) throw new Error(`Flink ${this.version}, ${args[0]}: exit status ${result.status}\n${result.stdout}${result.stderr}`)
  }

  restore(requests: readonly RestoreRequest[]): readonly RestoreAnswer[] {
    return this.ask('restore', requests) as RestoreAnswer[]
  }

  words(requests: readonly WordsRequest[]): readonly WordsAnswer[] {
    return this.ask('words', requests) as WordsAnswer[]
  }

  offsets(requests: readonly OffsetsRequest[]): readonly OffsetsAnswer[] {
    return this.ask('offsets', requests) as OffsetsAnswer[]
  }

  private ask(command: string, requests: readonly unknown[]): unknown {
    const folder = this.folder(command)
    writeFileSync(join(folder, 'requests.json'), JSON.stringify(requests))
    this.run(command, join(folder, 'requests.json'), join(folder, 'answers.json'))
    return JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8'))
  }
}

/** Every operator with state, as its types are read out of the snapshot. */
export function operatorSpecs(view: SnapshotView, isWanted: (uid: string) => boolean = () => true): RestoreRequest['operators'] {
  return view.operators
    .filter((operator) => operator.states.length > 0 && isWanted(operator.uid))
    .map(({ uid, maxParallelism, states }) => ({ uid, maxParallelism, keyType: states.find((state) => state.kind === 'keyed' || state.kind === 'timers')?.keyType ?? '', states: states.map(stateSpec) }))
}

function stateSpec({ name, kind, type, keyType, namespaceType, valueType }: SnapshotView['operators'][number]['states'][number]): StateSpec {
  const inner = /^TTL<(.*)>$/.exec(valueType)?.[1]
  const ofTimers = /^Timer<.*, (\w+)>$/.exec(valueType)?.[1]
  return { name, kind, type, keyType, namespaceType: ofTimers ?? namespaceType, valueType: inner ?? valueType, hasTimeToLive: inner !== undefined }
}
