/** Keys, marks and what is real: one sheet. */
import { useEffect, useRef } from 'react'
import { useView } from '../stores/view-store.ts'
import { Button, Segmented } from '../widgets/controls.tsx'

const KEYS: readonly (readonly [string, string])[] = [
  ['Space', 'Freeze the view; the engine goes on'],
  ['Shift+Space', 'Pause the job; the engine stops'],
  ['C', 'Trigger a checkpoint'],
  ['S', 'Take a savepoint'],
  ['K', 'Kill what is selected'],
  ['− +', 'Slower, faster'],
  ['M', 'Mark records by the checkpoint that they belong to'],
  ['B', 'Build mode'],
  ['1 2 3 4 5 6', 'Job, checkpoints, compare, storage, outputs, list'],
  ['Tab, arrows', 'Walk the graph along its channels; Enter selects'],
  ['Esc', 'Close, unselect, put a fault away'],
]

const MARKS: readonly (readonly [string, string])[] = [
  ['Disc with a letter', 'A record; hue and letter are its key. A dashed ring: read for the second time.'],
  ['Hatched bar with a flag', 'A barrier; the number is its checkpoint, the hatch turns with it.'],
  ['Padlock', 'The channel is blocked: its barrier came, others are missing.'],
  ['Hourglass', 'The channel that the others wait for.'],
  ['Bar: solid, slanted, empty', 'Busy, backpressured, idle. Backpressure is soft between two records, hard inside of one whose output has used up the overdraft too.'],
  ['Brackets', 'A transaction: dotted open, dashed waiting, solid committed, struck aborted.'],
]

export function HelpSheet() {
  const { helpOpen, motion, set } = useView()
  const sheet = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (helpOpen) sheet.current?.showModal()
    else sheet.current?.close()
  }, [helpOpen])
  return (
    <dialog ref={sheet} className="sheet" aria-label="Help" onClose={() => set({ helpOpen: false })}>
      <header>
        <h2>How to read and drive it</h2>
        <Button kind="ghost" icon="close" label="Close" onClick={() => set({ helpOpen: false })} />
      </header>
      <div className="sheet-columns">
        <Pairs title="Keys" pairs={KEYS} keys />
        <Pairs title="Marks" pairs={MARKS} />
      </div>
      <p>
        Motion{' '}
        <Segmented
          label="Motion"
          options={[
            { value: 'system', title: 'as the system asks' },
            { value: 'reduced', title: 'reduced' },
            { value: 'full', title: 'full' },
          ]}
          value={motion}
          onChange={(next) => set({ motion: next })}
        />
      </p>
      <p className="t2">
        Everything here is told by an engine that runs in Web Workers of this tab, one for each subtask. Times are engine time; the pace decides how fast it passes. The structure is drawn with React Flow.
      </p>
    </dialog>
  )
}

function Pairs({ title, pairs, keys = false }: { readonly title: string; readonly pairs: readonly (readonly [string, string])[]; readonly keys?: boolean }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className={keys ? 'pairs keys' : 'pairs'}>
        {pairs.map(([name, meaning]) => (
          <div key={name}>
            <dt>{keys ? <kbd>{name}</kbd> : name}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
