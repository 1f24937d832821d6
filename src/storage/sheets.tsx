/** What is asked before files change: where to, under which name, and whether what somebody needs shall really go. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { askAgain } from '../stores/storage-store.ts'
import { Button } from '../widgets/controls.tsx'
import { Icon } from '../widgets/icon.tsx'
import { lastPart, parentPath, reasonOf } from './desk-types.ts'
import type { DroppedSource } from './desk-types.ts'
import { DeleteSheet } from './delete-sheet.tsx'
import { Sheet } from './sheet.tsx'
import { select, store, UPLOAD_DIRECTORY } from './storage-actions.ts'

export type AskedFor =
  | { readonly what: 'copy' | 'rename' | 'delete'; readonly node: StorageNode }
  /** `stored` hears the paths of the snapshots that came in. */
  | { readonly what: 'store'; readonly source: Blob | DroppedSource; readonly name: string; readonly stored?: (paths: readonly string[]) => void }

interface SheetsProps {
  readonly asked: AskedFor | null
  readonly nodes: readonly StorageNode[]
  readonly onClose: () => void
}

export function Sheets({ asked, nodes, onClose }: SheetsProps) {
  const cluster = useCluster()
  if (asked === null) return null
  if (asked.what === 'delete') return <DeleteSheet node={asked.node} nodes={nodes} onClose={onClose} />
  if (asked.what === 'store') {
    return (
      <PathSheet
        title={`Put “${asked.name}” into storage`}
        label="Below the directory"
        first={UPLOAD_DIRECTORY}
        verb="Store"
        onClose={onClose}
        onDone={async (directory) => {
          const found = await store(cluster, asked.source, directory)
          select(found[0] ?? directory)
          asked.stored?.(found)
        }}
      >
        It gets a folder of its own there; if the name is taken, with a number. Nothing that is there changes.
      </PathSheet>
    )
  }
  const { node, what } = asked
  const name = lastPart(node.path)
  return (
    <PathSheet
      title={`${what === 'copy' ? 'Copy' : 'Rename'} ${name}`}
      label="To"
      first={what === 'copy' ? `${parentPath(node.path)}/${freeName(`${name}-copy`, nodes, parentPath(node.path))}` : node.path}
      verb={what === 'copy' ? 'Copy' : 'Rename'}
      onClose={onClose}
      onDone={async (to) => {
        await (what === 'copy' ? cluster.desk.copy(node.path, to) : cluster.desk.rename(node.path, to))
        askAgain()
        select(to)
      }}
    >
      <MoveNote node={node} what={what} />
    </PathSheet>
  )
}

/** What a copy under another path is worth. */
function MoveNote({ node, what }: { readonly node: StorageNode; readonly what: 'copy' | 'rename' }) {
  const { snapshot } = node
  if (what === 'rename' && node.references.length > 0) {
    return (
      <b className="warned">
        <Icon name="warning" /> It is needed by {node.references.length}: under another name they do not find it.
      </b>
    )
  }
  if (snapshot === null) return 'The path begins with “/”; directories that are missing are made.'
  if (snapshot.absoluteHandles > 0) return `${snapshot.absoluteHandles} of its handles name absolute paths: they go on naming the files where these are now. ${what === 'copy' ? 'The copy' : 'It'} restores as long as those stay.`
  return 'All its handles are inline or relative: under another path it restores as well.'
}

function freeName(name: string, nodes: readonly StorageNode[], directory: string): string {
  const taken = new Set(nodes.map((node) => node.path))
  if (!taken.has(`${directory}/${name}`)) return name
  let number = 2
  while (taken.has(`${directory}/${name}-${number}`)) number++
  return `${name}-${number}`
}

interface PathSheetProps {
  readonly title: string
  readonly label: string
  readonly first: string
  readonly verb: string
  readonly children: ReactNode
  readonly onDone: (path: string) => Promise<void>
  readonly onClose: () => void
}

function PathSheet({ title, label, first, verb, children, onDone, onClose }: PathSheetProps) {
  const [path, setPath] = useState(first)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (): void => {
    setBusy(true)
    setProblem(null)
    onDone(path.trim()).then(onClose, (error: unknown) => {
      setProblem(reasonOf(error))
      setBusy(false)
    })
  }
  return (
    <Sheet title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <label className="path-field">
          {label}
          <input className="mono" value={path} spellCheck={false} disabled={busy} onChange={(event) => setPath(event.target.value)} />
        </label>
        <p className="t2">{children}</p>
        {problem !== null && (
          <p className="sheet-problem" role="alert">
            <Icon name="failed" /> {problem}
          </p>
        )}
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={busy || path.trim() === '' || (verb === 'Rename' && path.trim() === first)} onClick={submit}>
            {busy ? `${verb} …` : verb}
          </Button>
        </footer>
      </form>
    </Sheet>
  )
}
