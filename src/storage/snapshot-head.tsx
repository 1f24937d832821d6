/** What a snapshot says of itself: version, writer, number, properties, sizes, where its bytes are; state of masters. */
import { useState } from 'react'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { Expander } from '../checkpoints/expander.tsx'
import { bytes, count } from '../widgets/figures.ts'
import { Facts } from './facts.tsx'
import { Handles } from './handles.tsx'
import { kindOf, placeCounts } from './snapshot-facts.ts'
import { HexDump } from './value-cell.tsx'
import { KIND_TITLES } from './what-may-change.ts'

export function SnapshotFacts({ view }: { readonly view: SnapshotView }) {
  const places = placeCounts(view)
  const inFlight = view.operators.reduce((sum, operator) => sum + operator.inFlight.size, 0)
  return (
    <>
      <Facts
        facts={[
          ['Kind', KIND_TITLES[kindOf(view)]],
          ['Metadata version', <Version key="version" view={view} />],
          ['Checkpoint ID', String(view.checkpointId), 'mono'],
          ['State', bytes(view.size)],
          ['_metadata', bytes(view.metadataSize)],
          ['Handles', <Handles key="handles" {...places} />],
          ...(inFlight > 0 ? ([['In flight', bytes(inFlight)]] as const) : []),
          ...(view.missing.length > 0 ? ([['Missing files', <span key="missing" className="failure-word">{count(view.missing.length)}</span>]] as const) : []),
        ]}
      />
      <More view={view} />
    </>
  )
}

const Version = ({ view }: { readonly view: SnapshotView }) => (
  <>
    <span className="num">{view.version}</span> <span className="fact-note">{view.writtenBy}</span>
  </>
)

/** Properties and master state: for those who look for them. */
function More({ view }: { readonly view: SnapshotView }) {
  const [open, setOpen] = useState(false)
  const masters = view.masterStates.length
  if (view.properties.length === 0 && masters === 0) return <p className="panel-note">No checkpoint properties in it (they came with version 4), and no master state.</p>
  const label = ['Checkpoint properties', masters > 0 ? `master state of ${masters}` : ''].filter((text) => text !== '').join(' and ')
  return (
    <div className="head-more">
      <Expander open={open} label={label} onToggle={() => setOpen(!open)} /> <span>{label}</span>
      {open && (
        <>
          <dl className="property-list">
            {view.properties.map(([name, value]) => (
              <div key={name}>
                <dt className="mono">{name}</dt>
                <dd className="mono">{value}</dd>
              </div>
            ))}
          </dl>
          {view.masterStates.map((master) => (
            <section key={master.name} className="panel-section">
              <h4>
                Master state <span className="mono">{master.name}</span> <small>version {master.version}, {bytes(master.size)}</small>
              </h4>
              <HexDump hex={master.hex} size={master.size} />
            </section>
          ))}
        </>
      )}
    </div>
  )
}
