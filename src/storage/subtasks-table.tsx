/** The subtasks of an operator with their handles: what kind, which key groups, and where the bytes are. */
import { useState } from 'react'
import type { HandleView, PlaceView, SubtaskView } from '../../workers/model/snapshot-view.ts'
import { Button } from '../widgets/controls.tsx'
import { bytes, count } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import { lastPart } from './desk-types.ts'

const FIRST = 12

export function SubtasksTable({ subtasks }: { readonly subtasks: readonly SubtaskView[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? subtasks : subtasks.slice(0, FIRST)
  return (
    <section className="panel-section">
      <div className="wide-table">
        <table className="ck-table subtasks">
          <caption>
            Handles by subtask <span>where the bytes are, and what finds them</span>
          </caption>
          <thead>
            <tr>
              <th scope="col" className="n">
                Subtask
              </th>
              <th scope="col">Handle</th>
              <th scope="col">Key groups</th>
              <th scope="col">Where</th>
              <th scope="col">File</th>
              <th scope="col" className="n">
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((subtask) => (
              <SubtaskRows key={subtask.index} subtask={subtask} />
            ))}
          </tbody>
        </table>
      </div>
      {subtasks.length > FIRST && (
        <p className="more-row">
          <Button kind="ghost" icon="chevron" pressed={all} onClick={() => setAll(!all)}>
            {all ? 'Fewer' : `All ${count(subtasks.length)} subtasks`}
          </Button>
        </p>
      )}
    </section>
  )
}

function SubtaskRows({ subtask }: { readonly subtask: SubtaskView }) {
  const note = [subtask.isFinished ? 'finished' : '', subtask.reusedFrom === null ? '' : `reused from checkpoint ${subtask.reusedFrom}`].filter((text) => text !== '').join(', ')
  if (subtask.handles.length === 0) {
    return (
      <tr>
        <th scope="row" className="n num">
          {subtask.index}
        </th>
        <td colSpan={5} className="t3">
          {note === '' ? 'no state' : note}
        </td>
      </tr>
    )
  }
  return subtask.handles.map((handle, index) => <HandleRows key={`${handle.role} ${handle.kind} ${index}`} handle={handle} subtask={index === 0 ? subtask.index : null} note={index === 0 ? note : ''} />)
}

function HandleRows({ handle, subtask, note }: { readonly handle: HandleView; readonly subtask: number | null; readonly note: string }) {
  const details = handle.details.map(([name, value]) => `${name}: ${value}`).join(', ')
  return (
    <>
      <tr className={subtask === null ? 'same' : ''}>
        <th scope="row" className="n num">
          {subtask}
        </th>
        <td>
          {handle.role} <span className="t2">{handle.kind}</span>
          {note !== '' && <i className="panel-tag">{note}</i>}
          {details !== '' && <small className="handle-details">{details}</small>}
        </td>
        <td className="mono">{handle.keyGroups === null ? '' : handle.keyGroups.start === handle.keyGroups.end ? handle.keyGroups.start : `${handle.keyGroups.start}–${handle.keyGroups.end}`}</td>
        <Place place={handle.place} name={null} />
        <td className="n">{bytes(handle.size)}</td>
      </tr>
      {handle.files.map((file) => (
        <tr key={`${file.name} ${file.place.path}`} className="same part">
          <td colSpan={3}>
            <span className="mono">{file.name}</span> <span className="t2">{file.isShared ? 'shared' : 'private'}</span>
          </td>
          <Place place={file.place} name={file.name} />
          <td className="n">{bytes(file.place.size)}</td>
        </tr>
      ))}
    </>
  )
}

/** Inline, relative to `_metadata`, or by an absolute path; and whether the file was found. */
function Place({ place, name }: { readonly place: PlaceView | null; readonly name: string | null }) {
  if (place === null || place.where === 'nowhere') {
    return (
      <td className="t3" colSpan={2}>
        –
      </td>
    )
  }
  const isMissing = place.where !== 'inline' && place.file === null
  return (
    <>
      <td>
        <span className={`where ${place.where}`}>{place.where}</span>
      </td>
      <td className={`mono file-cell${isMissing ? ' failure-word' : ''}`} title={place.path}>
        {isMissing && <Icon name="failed" label="missing" />}
        {place.where === 'inline' ? (name === null ? '_metadata' : '') : place.where === 'relative' ? place.path : shortened(place.path)}
      </td>
    </>
  )
}

/** The end of a path is what tells files apart. */
const shortened = (path: string): string => (path.length > 44 ? `…/${lastPart(path)}` : path)
