/** Build mode: palette, canvas, settings of what is selected, and the document as text with its problems. */
import { FileText, Redo2, SlidersHorizontal, Undo2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { findOperatorType } from '../../workers/model/catalogue/catalogue.ts'
import type { OperatorType } from '../../workers/model/catalogue/operator-type.ts'
import { compileJob } from '../../workers/model/compile-job.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { JobGraph, Problem } from '../../workers/model/job-graph.ts'
import { Button } from '../widgets/controls.tsx'
import { NODE_WIDTH, placeOperators } from './auto-layout.ts'
import { BuildCanvas } from './build-canvas.tsx'
import { EdgeForm } from './edge-form.tsx'
import { above, addOperator, connect, edgeKey, findOperator, freeUid } from './edit-job.ts'
import type { EdgeKey, Point } from './edit-job.ts'
import { JoinMenu } from './join-menu.tsx'
import { newOperator } from './new-operator.ts'
import { OperatorForm } from './operator-form.tsx'
import { Palette } from './palette.tsx'
import { ProblemList } from './problem-list.tsx'
import { placeOf } from './problem-places.ts'
import type { Selection } from './selection.ts'
import './editor.css'

const DocumentPane = lazy(() => import('./document-pane.tsx'))
const OptionsSheet = lazy(() => import('../options/options-sheet.tsx'))

interface BuildProps {
  readonly job: JobDocument
  readonly canUndo: boolean
  readonly canRedo: boolean
  /** What goes on meanwhile, in words: "the run goes on with the version before". */
  readonly note: string
  /** Why it cannot be started here, whatever it is. */
  readonly startBlocked: string | null
  readonly optionsOpen: boolean
  readonly onOptions: (open: boolean) => void
  readonly onEdit: (next: JobDocument, tag?: string) => void
  readonly onUndo: () => void
  readonly onRedo: () => void
  readonly onStart: () => void
  readonly onClose: () => void
}

export function BuildView({ job, canUndo, canRedo, note, startBlocked, optionsOpen, onOptions, onEdit, onUndo, onRedo, onStart, onClose }: BuildProps) {
  const [selection, setSelection] = useState<Selection>(null)
  const [reveal, setReveal] = useState<string | null>(null)
  const { problems, graph } = useMemo(() => compileJob(job), [job])
  const text = useMemo(() => JSON.stringify(job, null, 2), [job])
  const errors = problems.filter((problem) => problem.severity === 'error')
  const [joining, setJoining] = useState(false)
  const [draft, setDraft] = useState<readonly Problem[]>([])

  const canStart = errors.length === 0 && startBlocked === null
  const joinable = selection?.kind === 'operator' ? findOperator(job, selection.uid) : undefined
  const startJoin = joinable === undefined ? null : () => setJoining(true)
  useKeys({ onJoin: startJoin, onUndo, onRedo, onStart: canStart ? onStart : null, onClose: selection === null ? onClose : () => setSelection(null) })

  const select = (next: Selection): void => {
    setSelection(next)
    setReveal(pointerOf(next, job))
  }
  const add = (type: OperatorType, at?: Point): void => {
    const uid = freeUid(job, type.type)
    onEdit(addOperator(job, newOperator(type, job, at ?? nextPlace(job))))
    setSelection({ kind: 'operator', uid })
    focusCard(uid)
  }
  const join = (key: EdgeKey): void => {
    onEdit(connect(job, key))
    endJoin()
  }
  const endJoin = (): void => {
    setJoining(false)
    if (selection?.kind === 'operator') focusCard(selection.uid)
  }
  const selectProblem = (problem: Problem): void => {
    const place = placeOf(problem, job)
    const edge = place.kind === 'edge' ? job.edges[place.index] : undefined
    if (place.kind === 'operator') setSelection(place)
    if (edge !== undefined) setSelection({ kind: 'edge', key: edgeKey(edge) })
    setReveal(problem.path)
  }
  /** What was typed: a document whose shape is wrong is not taken over, but its problems are shown. */
  const onTyped = (parsed: unknown): void => {
    const checked = compileJob(parsed)
    const shapeless = checked.graph === null && !isJobShaped(parsed)
    setDraft(shapeless ? checked.problems : [])
    if (!shapeless) onEdit(parsed as JobDocument, 'text')
  }
  const shown = draft.length > 0 ? draft : problems
  return (
    <div className="build">
      <div className="build-bar">
        <Button icon="close" onClick={onClose} shortcut="Esc">
          Back to the run
        </Button>
        <button type="button" className="btn small icon-only" disabled={!canUndo} onClick={onUndo} aria-label="Undo" title="Undo, Ctrl+Z">
          <Undo2 size={15} />
        </button>
        <button type="button" className="btn small icon-only" disabled={!canRedo} onClick={onRedo} aria-label="Redo" title="Redo, Ctrl+Shift+Z">
          <Redo2 size={15} />
        </button>
        <input className="job-name" aria-label="Name of the job" value={job.name} onChange={(event) => onEdit({ ...job, name: event.target.value }, 'job name')} />
        <span className="build-note">
          <FileText size={14} aria-hidden="true" /> {note}
        </span>
        <span className="grow" />
        <button type="button" className="btn small" aria-haspopup="dialog" onClick={() => onOptions(true)}>
          <SlidersHorizontal size={14} /> Options
        </button>
        {errors.length > 0 && <span className="mistake">{errors.length === 1 ? errors[0]?.message : `${errors.length} mistakes`}</span>}
        {errors.length === 0 && startBlocked !== null && <span className="t2">{startBlocked}</span>}
        <Button kind="primary" icon="start" shortcut="Ctrl+Enter" disabled={!canStart} onClick={onStart}>
          Start
        </Button>
      </div>
      <Palette onAdd={(type) => add(type)} />
      <BuildCanvas
        job={job}
        problems={problems}
        selection={selection}
        onSelect={select}
        onEdit={onEdit}
        onDropType={(name, at) => {
          const type = findOperatorType(name)
          if (type !== undefined) add(type, { x: at.x - NODE_WIDTH / 2, y: at.y - 20 })
        }}
      />
      {joining && joinable !== undefined && <JoinMenu job={job} operator={joinable} onJoin={join} onClose={endJoin} />}
      <div className="build-form">
        <SelectedForm job={job} graph={graph} problems={problems} selection={selection} onEdit={onEdit} onSelect={setSelection} onJoin={startJoin} />
      </div>
      <aside className="build-document">
        <h2>
          Job document <small className="num">weir/job@1</small>
        </h2>
        <Suspense fallback={<pre className="document-text">{text}</pre>}>
          <DocumentPane text={text} problems={shown} reveal={reveal} onChange={onTyped} />
        </Suspense>
        <ProblemList problems={shown} onSelect={selectProblem} />
      </aside>
      {optionsOpen && (
        <Suspense fallback={null}>
          <OptionsSheet job={job} problems={problems} onEdit={onEdit} onClose={() => onOptions(false)} />
        </Suspense>
      )}
    </div>
  )
}

interface SelectedProps {
  readonly job: JobDocument
  readonly graph: JobGraph | null
  readonly problems: readonly Problem[]
  readonly selection: Selection
  readonly onEdit: (next: JobDocument, tag?: string) => void
  readonly onSelect: (selection: Selection) => void
  readonly onJoin: (() => void) | null
}

function SelectedForm({ job, graph, problems, selection, onEdit, onSelect, onJoin }: SelectedProps) {
  // The last graph that compiled tells the fields where an operator above has a mistake.
  const [known, setKnown] = useState(graph)
  if (graph !== null && graph !== known) setKnown(graph)
  if (selection?.kind === 'operator') {
    const operator = findOperator(job, selection.uid)
    if (operator !== undefined) {
      const edge = job.edges.find((candidate) => candidate.to === operator.uid)
      return (
        <OperatorForm
          key={operator.uid}
          job={job}
          operator={operator}
          problems={problems}
          fields={edge === undefined ? [] : outputFields(job, edge.from, known)}
          onEdit={onEdit}
          onJoin={onJoin}
          onRenamed={(uid) => onSelect({ kind: 'operator', uid })}
        />
      )
    }
  }
  if (selection?.kind === 'edge') {
    const { key } = selection
    const edge = job.edges.find((candidate) => candidate.from === key.from && candidate.to === key.to && (candidate.input ?? 1) === key.input)
    if (edge !== undefined) return <EdgeForm job={job} edge={edge} problems={problems} fields={outputFields(job, edge.from, known)} onEdit={onEdit} />
  }
  return (
    <div className="t2 build-hint">
      <p>Select an operator or an edge to set it. Drag from a port to another operator to connect the two; Delete removes what is selected.</p>
      <p>
        By keyboard: <kbd>A</kbd> finds an operator to add, <kbd>Tab</kbd> walks the picture, <kbd>Enter</kbd> selects, arrows move, <kbd>E</kbd> connects what is selected.
      </p>
    </div>
  )
}

/** What leaves an operator: from it and what is above it, so that mistakes elsewhere do not matter. */
function outputFields(job: JobDocument, uid: string, known: JobGraph | null): readonly string[] {
  const graph = compileJob(above(job, uid)).graph ?? known
  const output = graph?.vertices.flatMap((vertex) => vertex.chain).find((operator) => operator.uid === uid)?.output
  return output?.fields.map((field) => field.name) ?? []
}

/** Enough of the shape to be drawn; everything else is a problem that the compiler names. */
function isJobShaped(value: unknown): boolean {
  const job = value as Partial<JobDocument> | null
  if (typeof job !== 'object' || job === null || !Array.isArray(job.operators) || !Array.isArray(job.edges)) return false
  const operators = job.operators as unknown[]
  const edges = job.edges as unknown[]
  return (
    operators.every((operator) => typeof (operator as { uid?: unknown } | null)?.uid === 'string' && typeof (operator as { type?: unknown }).type === 'string') &&
    edges.every((edge) => typeof (edge as { from?: unknown } | null)?.from === 'string' && typeof (edge as { to?: unknown }).to === 'string') &&
    typeof job.name === 'string'
  )
}

/** Right of everything, at the height of the last operator. */
function nextPlace(job: JobDocument): Point {
  const places = [...placeOperators(job).values()]
  if (places.length === 0) return { x: 0, y: 0 }
  return { x: Math.max(...places.map(({ x }) => x)), y: Math.max(...places.map(({ y }) => y)) + 104 }
}

function pointerOf(selection: Selection, job: JobDocument): string | null {
  if (selection?.kind === 'operator') return `/operators/${job.operators.findIndex((operator) => operator.uid === selection.uid)}`
  if (selection?.kind !== 'edge') return null
  const { key } = selection
  return `/edges/${job.edges.findIndex((edge) => edge.from === key.from && edge.to === key.to && (edge.input ?? 1) === key.input)}`
}

/** When the card is there: the next key is meant for it. */
function focusCard(uid: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(uid)}"]`)?.focus({ preventScroll: true }))
}

interface Keys {
  readonly onJoin: (() => void) | null
  readonly onUndo: () => void
  readonly onRedo: () => void
  readonly onStart: (() => void) | null
  readonly onClose: () => void
}

/** Letters and undo belong to a text field while one has the focus. */
function useKeys({ onJoin, onUndo, onRedo, onStart, onClose }: Keys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const typing = (event.target as HTMLElement).closest('input, select, textarea, .cm-editor') !== null
      const command = event.ctrlKey || event.metaKey
      const steps = command && 'zy'.includes(event.key.toLowerCase())
      // A sheet over it takes the keys first, and Esc closes that.
      if (!steps && document.querySelector('dialog[open]') !== null) return
      if (command && event.key === 'Enter') onStart?.()
      else if (typing) return
      else if (command && event.key.toLowerCase() === 'z') (event.shiftKey ? onRedo : onUndo)()
      else if (command && event.key.toLowerCase() === 'y') onRedo()
      else if (event.key === 'Escape') onClose()
      else if (event.key.toLowerCase() === 'a' && !command) document.getElementById('palette-search')?.focus()
      else if (event.key.toLowerCase() === 'e' && !command && onJoin !== null) onJoin()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [onJoin, onUndo, onRedo, onStart, onClose])
}
