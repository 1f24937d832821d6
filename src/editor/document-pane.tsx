/**
 * The job document as text. It is the same thing as the picture: typing here redraws the canvas, and an edit there rewrites the text. Text that
 * is not JSON, or not a job, changes nothing else until it is.
 */
import { json } from '@codemirror/lang-json'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics } from '@codemirror/lint'
import type { Diagnostic } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup } from 'codemirror'
import { findNodeAtLocation, parse, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { ParseError } from 'jsonc-parser'
import { useEffect, useRef } from 'react'
import type { Problem } from '../../workers/model/job-graph.ts'
import { pointerPath } from './problem-places.ts'

interface PaneProps {
  readonly text: string
  readonly problems: readonly Problem[]
  /** JSON pointer to bring into view, or null. */
  readonly reveal: string | null
  readonly onChange: (parsed: unknown) => void
}

const COLOURS = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.propertyName, color: 'var(--text-1)' },
    { tag: tags.string, color: 'var(--text-2)' },
    { tag: [tags.number, tags.bool, tags.null], color: 'var(--text-1)', fontWeight: '600' },
    { tag: tags.punctuation, color: 'var(--text-3)' },
  ]),
)

export default function DocumentPane({ text, problems, reveal, onChange }: PaneProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const change = useRef(onChange)
  useEffect(() => {
    change.current = onChange
  }, [onChange])

  useEffect(() => {
    if (host.current === null) return undefined
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          basicSetup,
          json(),
          COLOURS,
          EditorView.contentAttributes.of({ 'aria-label': 'Job document, JSON' }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged || !update.view.hasFocus) return
            const errors: ParseError[] = []
            const parsed: unknown = parse(update.state.doc.toString(), errors)
            if (errors.length === 0) change.current(parsed)
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
    // The text at mounting; later changes come through the effect below, so that the cursor stays.
    // eslint-disable-next-line react/exhaustive-deps
  }, [])

  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.hasFocus || editor.state.doc.toString() === text) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
  }, [text])

  useEffect(() => {
    const editor = view.current
    if (editor === null) return
    editor.dispatch(setDiagnostics(editor.state, diagnose(editor.state.doc.toString(), problems)))
  }, [text, problems])

  useEffect(() => {
    const editor = view.current
    if (editor === null || reveal === null) return
    const range = rangeOf(editor.state.doc.toString(), reveal)
    editor.dispatch({ effects: EditorView.scrollIntoView(range.from, { y: 'center' }), ...(editor.hasFocus ? {} : { selection: { anchor: range.from } }) })
  }, [reveal])

  return <div className="document-text" ref={host} />
}

/** Syntax errors where they are; problems at the value that their pointer names, or at the nearest one above it. */
function diagnose(text: string, problems: readonly Problem[]): Diagnostic[] {
  const errors: ParseError[] = []
  parse(text, errors)
  if (errors.length > 0) {
    return errors.map((error) => ({
      from: error.offset,
      to: Math.min(text.length, error.offset + Math.max(1, error.length)),
      severity: 'error' as const,
      message: `Not JSON: ${printParseErrorCode(error.error)}`,
    }))
  }
  return problems.map((problem) => ({ ...rangeOf(text, problem.path), severity: problem.severity, message: `${problem.message} ${problem.cure}` }))
}

function rangeOf(text: string, pointer: string): { from: number; to: number } {
  const root = parseTree(text)
  const path = pointerPath(pointer)
  while (root !== undefined && path.length > 0) {
    const node = findNodeAtLocation(root, path)
    if (node !== undefined) return { from: node.offset, to: Math.min(node.offset + node.length, node.offset + 200) }
    path.pop()
  }
  return { from: 0, to: Math.min(1, text.length) }
}
