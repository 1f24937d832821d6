import { describe, expect, it } from 'vitest'
import type { StorageNode, StorageNodeKind, StorageReference } from '../../../workers/model/snapshot-desk.ts'
import { connectedWith, filesOf, holdersBelow } from '../../../src/storage/holders.ts'
import { buildTree, moveInTree, nearestNode, pathsAbove, snapshotAt, visibleRows } from '../../../src/storage/storage-tree.ts'

const JOB = '/checkpoints/9798b3041363df0cbdecd9798b304136'

function node(path: string, kind: StorageNodeKind, more: Partial<StorageNode> = {}): StorageNode {
  return { path, isDirectory: false, kind, size: 10, files: 1, modifiedAt: 0, references: [], snapshot: null, ...more }
}

const directory = (path: string, kind: StorageNodeKind, more: Partial<StorageNode> = {}): StorageNode => node(path, kind, { isDirectory: true, ...more })

const snapshot = (path: string, id: number, more: Partial<StorageNode> = {}): StorageNode =>
  directory(path, 'checkpoint', {
    snapshot: { checkpointId: id, kind: 'checkpoint', operators: 1, isRestorable: true, problem: null, relativeHandles: 0, absoluteHandles: 1, inlineHandles: 0 },
    ...more,
  })

const by = (...who: readonly string[]): readonly StorageReference[] => who.map((one) => ({ by: 'snapshot', who: one }))

const NODES: readonly StorageNode[] = [
  directory('/checkpoints', 'folder'),
  directory(JOB, 'job'),
  snapshot(`${JOB}/chk-9`, 9),
  node(`${JOB}/chk-9/_metadata`, 'metadata'),
  snapshot(`${JOB}/chk-10`, 10),
  node(`${JOB}/chk-10/_metadata`, 'metadata'),
  node(`${JOB}/chk-10/own`, 'state', { references: by(`${JOB}/chk-10`) }),
  directory(`${JOB}/shared`, 'shared'),
  node(`${JOB}/shared/both`, 'state', { references: by(`${JOB}/chk-9`, `${JOB}/chk-10`) }),
  node(`${JOB}/shared/left`, 'state'),
  directory('/ha', 'ha'),
  node('/ha/pointer', 'ha'),
]

const names = (toggled: ReadonlyMap<string, boolean>): string[] => visibleRows(buildTree(NODES), toggled).map((row) => `${'  '.repeat(row.level - 1)}${row.item.name}`)

describe('the tree of files', () => {
  it('puts the newest checkpoint first, by its number and not by its letters, before shared files', () => {
    expect(names(new Map())).toEqual(['checkpoints', `  ${JOB.slice(13)}`, '    chk-10', '    chk-9', '    shared', 'ha'])
  })

  it('opens what is asked for, and counts siblings for those who hear the tree', () => {
    const rows = visibleRows(buildTree(NODES), new Map([[`${JOB}/chk-10`, true]]))
    expect(rows.map((row) => row.item.name)).toContain('own')
    const chk9 = rows.find((row) => row.item.name === 'chk-9')
    expect(chk9).toMatchObject({ level: 3, position: 2, siblings: 3, isOpen: false })
  })

  it('shows a file whose directory has no node of its own', () => {
    expect(visibleRows(buildTree([node('/a/b/c', 'other')]), new Map()).map((row) => row.item.name)).toEqual(['a/b/c'])
  })

  it('closes a directory with everything below it', () => {
    expect(names(new Map([['/checkpoints', false]]))).toEqual(['checkpoints', 'ha'])
  })
})

describe('the keys of the tree', () => {
  const rows = visibleRows(buildTree(NODES), new Map())
  const move = (at: number, key: string) => moveInTree(rows, at, key, 3)

  it('right opens what is closed, and goes into what is open', () => {
    expect(move(2, 'ArrowRight')).toEqual({ to: 2, toggle: { path: `${JOB}/chk-10`, open: true } })
    expect(move(0, 'ArrowRight')).toEqual({ to: 1, toggle: null })
  })

  it('left closes what is open, and goes to the directory of what is closed', () => {
    expect(move(1, 'ArrowLeft')).toEqual({ to: 1, toggle: { path: JOB, open: false } })
    expect(move(3, 'ArrowLeft')).toEqual({ to: 1, toggle: null })
  })

  it('stays within the rows, and begins at the first where nothing is selected', () => {
    expect(move(0, 'ArrowUp')?.to).toBe(0)
    expect(move(4, 'PageDown')?.to).toBe(5)
    expect(move(2, 'End')?.to).toBe(5)
    expect(move(-1, 'ArrowDown')?.to).toBe(0)
  })

  it('leaves other keys to others', () => {
    expect(move(0, 'c')).toBeNull()
    expect(moveInTree([], -1, 'ArrowDown', 3)).toBeNull()
  })
})

describe('what belongs together', () => {
  it('a file and a _metadata lead to their snapshot', () => {
    expect(snapshotAt(`${JOB}/chk-10/_metadata`, NODES)?.path).toBe(`${JOB}/chk-10`)
    expect(snapshotAt(`${JOB}/shared/both`, NODES)).toBeNull()
  })

  it('a path that is gone leads to the nearest directory that is there', () => {
    expect(nearestNode(`${JOB}/chk-8/_metadata`, NODES)?.path).toBe(JOB)
    expect(nearestNode('/nowhere/at/all', NODES)).toBeNull()
    expect(pathsAbove('/a/b/c')).toEqual(['/a/b', '/a'])
  })

  it('a snapshot names its own files and shared ones', () => {
    const chk10 = NODES[4] as StorageNode
    expect(filesOf(chk10, NODES).map((one) => one.path)).toEqual([`${JOB}/chk-10/own`, `${JOB}/shared/both`])
    expect([...connectedWith(chk10, NODES)]).toEqual([`${JOB}/chk-10/own`, `${JOB}/shared/both`])
    expect([...connectedWith(NODES[8] as StorageNode, NODES)]).toEqual([`${JOB}/chk-9`, `${JOB}/chk-10`])
  })

  it('shared files stand beside every snapshot of their job, held or not, oldest first', () => {
    const holding = holdersBelow(NODES[7] as StorageNode, NODES)
    expect(holding.snapshots.map((one) => one.snapshot?.checkpointId)).toEqual([9, 10])
    expect(holding.files.map(({ node: file, by: holders }) => [file.path.slice(JOB.length), holders.size])).toEqual([
      ['/shared/both', 2],
      ['/shared/left', 0],
    ])
  })
})

describe('a tree of thousands of files', () => {
  it('is laid out with every file in its order', () => {
    const many: StorageNode[] = [directory('/checkpoints', 'folder'), directory(JOB, 'job'), directory(`${JOB}/shared`, 'shared')]
    for (let i = 0; i < 20_000; i++) many.push(node(`${JOB}/shared/${i}`, 'state'))
    const rows = visibleRows(buildTree(many), new Map([[`${JOB}/shared`, true]]))
    expect(rows).toHaveLength(20_003)
    expect(rows[3]?.item.name).toBe('0')
    expect(rows.at(-1)?.item.name).toBe('9999')
  })
})
