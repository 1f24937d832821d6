import type { ReactNode } from 'react'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'

interface FrameProps {
  readonly title: string
  readonly note?: string
  readonly closable?: boolean
  readonly children: ReactNode
}

export function InspectorFrame({ title, note, closable = true, children }: FrameProps) {
  const set = useView((state) => state.set)
  return (
    <section className="inspector" aria-label="Inspector">
      <header>
        <b>{title}</b>
        {note !== undefined && <span className="t3">{note}</span>}
        <span className="grow" />
        {closable && <Button kind="ghost" icon="close" label="Unselect" onClick={() => set({ selection: null })} />}
      </header>
      <div className="inspector-body">{children}</div>
    </section>
  )
}

export function Section({ title, shortcut, children }: { readonly title: string; readonly shortcut?: string; readonly children: ReactNode }) {
  return (
    <div className="section">
      <h3>
        {title}
        {shortcut !== undefined && <kbd>{shortcut}</kbd>}
      </h3>
      {children}
    </div>
  )
}

/** Name and figure, one pair a line. */
export function Figures({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <table className="table plain">
      <tbody>
        {rows.map(([name, figure]) => (
          <tr key={name}>
            <td>{name}</td>
            <td className="figure">{figure}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
