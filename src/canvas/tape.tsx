/** A source's partition as a bar code: the read head above, the flag of the snapshot below, what is to be replayed hatched. */
import { recordsBefore, type Tape } from '../../workers/projections/tape-view.ts'
import { count } from '../widgets/figures.ts'
import { keyHue } from '../widgets/key-letter.tsx'

const PITCH = 5.2
const SLOTS = 24
const WIDTH = PITCH * SLOTS
/** The head stays here once so many records were read. */
const HEAD_SLOT = 16

interface TapeProps {
  readonly tape: Tape
  readonly recent: readonly { readonly offset: number; readonly label: string }[]
}

export function TapeDrawing({ tape, recent }: TapeProps) {
  const { rewound } = tape
  const replaying = rewound !== null && rewound.caughtUpAt === null
  return (
    <svg className="tape" width="140" height={replaying ? 92 : 84} aria-hidden="true">
      <text x="9" y="9">
        partition {tape.partition}
      </text>
      <text className="num strong" x="131" y="9" textAnchor="end">
        {count(recordsBefore(tape, tape.head))}
      </text>
      <g transform={`translate(8 ${replaying ? 20 : 12})`}>
        <rect x="-1.5" y="24" width={WIDTH + 3} height="22" fill="var(--bore)" stroke="var(--line-2)" />
        {replaying ? <Replay tape={tape} from={rewound.from} to={rewound.to} /> : <Records tape={tape} recent={recent} />}
      </g>
    </svg>
  )
}

function Records({ tape, recent }: TapeProps) {
  const first = Math.max(tape.first ?? 0, tape.head - HEAD_SLOT)
  const labels = new Map(recent.map((record) => [record.offset, record.label]))
  const x = (offset: number): number => (offset - first) * PITCH
  const slots = Array.from({ length: SLOTS }, (_, index) => first + index).filter((offset) => tape.end === null || offset < tape.end)
  return (
    <>
      {slots.map((offset) => {
        const label = labels.get(offset)
        const read = offset < tape.head
        const fill = label === undefined ? 'var(--line-3)' : `var(--key-${keyHue(label)})`
        return read ? (
          <rect key={offset} x={x(offset) + 0.5} y="26" width="4" height="18" fill={fill} opacity={label === undefined ? 0.55 : 1} />
        ) : (
          <rect key={offset} x={x(offset) + 1} y="26.5" width="3" height="17" fill="none" stroke="var(--line-3)" opacity=".7" />
        )
      })}
      <Head at={x(tape.head)} />
      {tape.flag !== null && <Flag id={tape.flag.checkpointId} at={x(tape.flag.offset)} />}
    </>
  )
}

/** The whole way between the restored offset and the old head, to scale. */
function Replay({ tape, from, to }: { readonly tape: Tape; readonly from: number; readonly to: number }) {
  const pad = Math.max(1, (from - to) * 0.12)
  const x = (offset: number): number => ((offset - to + pad) / (from - to + 2 * pad)) * WIDTH
  return (
    <>
      <rect x="0" y="26" width={x(tape.head)} height="18" fill="var(--line-3)" opacity=".55" />
      <rect x={x(tape.head)} y="26" width={Math.max(0, x(from) - x(tape.head))} height="18" fill="url(#phase-replay)" />
      <path d={`M${x(from)} 20C${x(from)} 6 ${x(to)} 6 ${x(to)} 20`} fill="none" stroke="var(--failure-edge)" strokeWidth="1.4" />
      <path d={`M${x(to) - 3} 15l3 5 4-4`} fill="none" stroke="var(--failure-edge)" strokeWidth="1.4" />
      <path d={`M${x(from)} 23l-4-6h8z`} fill="none" stroke="var(--failure-edge)" strokeWidth="1.2" />
      <text className="num failure" x={(x(from) + x(to)) / 2} y="5" textAnchor="middle">
        −{count(from - to)}
      </text>
      <Head at={x(tape.head)} />
      {tape.flag !== null && tape.flag.offset >= to - pad && tape.flag.offset <= from + pad && <Flag id={tape.flag.checkpointId} at={x(tape.flag.offset)} />}
    </>
  )
}

const Head = ({ at }: { readonly at: number }) => (
  <>
    <path d={`M${at} 23v23`} stroke="var(--ink)" strokeWidth="1.5" />
    <path d={`M${at} 23l-4.5 -6.5h9z`} fill="var(--ink)" />
  </>
)

function Flag({ id, at }: { readonly id: number; readonly at: number }) {
  if (at < -0.01) {
    return (
      <text className="num" x="0" y="58" fontSize="10">
        «{id}
      </text>
    )
  }
  const width = 9 + 6 * String(id).length
  const turn = at + width > WIDTH ? -1 : 1
  return (
    <>
      <path d={`M${at} 24v37`} stroke="var(--ink)" strokeWidth="1.3" />
      <g transform={`translate(${at} 49)`}>
        <path d={`M0 -4H${turn * width}L${turn * (width - 3)} 2.5 ${turn * width} 9H0z`} fill="var(--ink)" />
        <text className="num on-ink" x={(turn * (width - 3)) / 2} y="6" textAnchor="middle" fontSize="10" fontWeight="700">
          {id}
        </text>
      </g>
    </>
  )
}
