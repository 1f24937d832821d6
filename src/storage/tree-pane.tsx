/** The tree of files as Flink lays them out. Only the rows in sight are in the page, so that thousands of files stay fluid. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'
import { useRun } from '../stores/run-store.ts'
import { useStorage } from '../stores/storage-store.ts'
import { connectedWith } from './holders.ts'
import { moveInTree, nearestNode } from './storage-tree.ts'
import type { TreeRow } from './storage-tree.ts'
import { TreeRowLine } from './tree-row.tsx'

const TREE_ROW_HEIGHT = 24
const OVERSCAN = 10

interface TreeProps {
  readonly rows: readonly TreeRow[]
  readonly nodes: readonly StorageNode[]
  readonly now: number
  readonly onOpen: (node: StorageNode) => void
  readonly onDelete: (node: StorageNode) => void
  readonly onRename: (node: StorageNode) => void
}

export function TreePane({ rows, nodes, now, onOpen, onDelete, onRename }: TreeProps) {
  const { selected, toggled, set } = useStorage()
  const job = useRun((state) => state.status?.job ?? null)
  const [box, top, height] = useWindow()
  // What was selected and is gone leaves the selection where it was.
  const current = nearestNode(selected, nodes)?.path ?? null
  const at = rows.findIndex((row) => row.item.node.path === current)
  const chosen = rows[at]?.item.node ?? null
  const connected = connectedWith(chosen, nodes)
  useInSight(box, at, current)

  const toggle = (path: string, open: boolean): void => set({ toggled: new Map(toggled).set(path, open) })
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const move = moveInTree(rows, at, event.key, Math.max(1, Math.floor(height / TREE_ROW_HEIGHT) - 1))
    if (move !== null) {
      if (move.toggle !== null) toggle(move.toggle.path, move.toggle.open)
      set({ selected: rows[move.to]?.item.node.path ?? null })
    } else if (chosen === null) return
    else if (event.key === 'Enter') activate(rows[at] as TreeRow)
    else if (event.key === 'Delete' || event.key === 'Backspace') onDelete(chosen)
    else if (event.key === 'F2') onRename(chosen)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const activate = (row: TreeRow): void => {
    const { node, children } = row.item
    if (node.snapshot !== null || node.kind === 'metadata') onOpen(node)
    else if (children.length > 0) toggle(node.path, !row.isOpen)
  }
  const from = Math.max(0, Math.floor(top / TREE_ROW_HEIGHT) - OVERSCAN)
  const shown = rows.slice(from, from + Math.ceil(height / TREE_ROW_HEIGHT) + 2 * OVERSCAN)
  return (
    <div
      ref={box}
      className="tree"
      role="tree"
      aria-label="Files in storage"
      tabIndex={0}
      aria-activedescendant={at >= from && at < from + shown.length ? rowId(at) : undefined}
      onKeyDown={onKey}
    >
      <div className="tree-rows" style={{ height: rows.length * TREE_ROW_HEIGHT }} role="presentation">
        {shown.map((row, index) => (
          <TreeRowLine
            key={row.item.node.path}
            id={rowId(from + index)}
            row={row}
            top={(from + index) * TREE_ROW_HEIGHT}
            now={now}
            isSelected={row.item.node.path === current}
            jobName={job !== null && row.item.name === job.id ? job.name : null}
            isConnected={connected.has(row.item.node.path)}
            onSelect={() => set({ selected: row.item.node.path })}
            onToggle={() => toggle(row.item.node.path, !row.isOpen)}
            onActivate={() => activate(row)}
          />
        ))}
      </div>
    </div>
  )
}

const rowId = (index: number): string => `storage-row-${index}`

/** How far it is scrolled, and how much is in sight. */
function useWindow(): readonly [React.RefObject<HTMLDivElement | null>, number, number] {
  const box = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState({ top: 0, height: 600 })
  useLayoutEffect(() => {
    const target = box.current
    if (target === null) return undefined
    const look = (): void => setSeen({ top: target.scrollTop, height: target.clientHeight })
    const observer = new ResizeObserver(look)
    observer.observe(target)
    target.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      target.removeEventListener('scroll', look)
    }
  }, [])
  return [box, seen.top, seen.height]
}

/** What was selected comes into sight, once: scrolling on by hand is not undone when the tree is told anew. */
function useInSight(box: React.RefObject<HTMLDivElement | null>, at: number, selected: string | null): void {
  const shown = useRef<string | null>(null)
  useEffect(() => {
    const target = box.current
    if (target === null || at < 0 || shown.current === selected) return
    shown.current = selected
    const top = at * TREE_ROW_HEIGHT
    if (top < target.scrollTop) target.scrollTo({ top })
    else if (top + TREE_ROW_HEIGHT > target.scrollTop + target.clientHeight) target.scrollTo({ top: top + TREE_ROW_HEIGHT - target.clientHeight })
  }, [box, at, selected])
}
