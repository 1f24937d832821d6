/** Pace on a logarithmic scale from a thousandth to a hundred, with detents; Story moves the pointer by itself. */
import { scaleLog } from 'd3'
import type { PointerEvent } from 'react'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { Button } from '../widgets/controls.tsx'

const LOW = 0.001
const HIGH = 100
const WIDTH = 236
const scale = scaleLog().domain([LOW, HIGH]).range([8, 228]).clamp(true)
const DECADES = [0.001, 0.01, 0.1, 1, 10, 100]
/** 1, 2, 5 in each decade: what the keys step through and the pointer snaps to. */
export const DETENTS = DECADES.flatMap((decade) => [1, 2, 5].map((step) => decade * step)).filter((pace) => pace <= HIGH * 1.0001)
const SNAP = 4

export function paceText(pace: number): string {
  if (pace === 0) return 'stands'
  if (pace >= 1) return `×${pace >= 10 ? Math.round(pace) : Number(pace.toFixed(1))}`
  return `×1/${Math.round(1 / pace)}`
}

/** The detent above or below. */
export function nextDetent(pace: number, direction: 1 | -1): number {
  const beyond = direction > 0 ? DETENTS.find((detent) => detent > pace * 1.01) : DETENTS.findLast((detent) => detent < pace * 0.99)
  return beyond ?? (direction > 0 ? HIGH : LOW)
}

const PHASE_WORDS = { still: 'still', quiet: 'quiet', barriers: 'barriers', failure: 'failure', detection: 'detection', 'back-off': 'back-off', recovery: 'recovery' } as const

export function PaceControl() {
  const cluster = useCluster()
  const pace = useRun((state) => state.status?.pace ?? null)
  if (pace === null) return null
  const story = pace.mode === 'story'
  const shown = Math.min(HIGH, Math.max(LOW, pace.paused ? pace.asked : pace.actual || LOW))
  const at = scale(shown)
  const choose = (event: PointerEvent<SVGSVGElement>): void => {
    if (event.buttons !== 1) return
    const box = event.currentTarget.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * WIDTH
    const near = DETENTS.find((detent) => Math.abs(scale(detent) - x) < SNAP)
    void cluster.setPace(near ?? Number(scale.invert(x).toPrecision(2)))
  }
  return (
    <div className="pace">
      <Button pressed={story} onClick={() => void cluster.setPace(story ? shown : 'story')}>
        Story
      </Button>
      <svg
        className="pace-scale"
        width={WIDTH}
        height="34"
        role="slider"
        tabIndex={0}
        aria-label="Pace: engine time per wall time"
        aria-valuemin={LOW}
        aria-valuemax={HIGH}
        aria-valuenow={shown}
        aria-valuetext={paceText(shown)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          choose(event)
        }}
        onPointerMove={choose}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
          event.preventDefault()
          void cluster.setPace(nextDetent(shown, event.key === 'ArrowRight' ? 1 : -1))
        }}
      >
        <Scale />
        <path d={`M${at} 11l-4.5 -7h9z`} fill={story ? 'none' : 'var(--ink)'} stroke="var(--ink)" strokeWidth="1.4" />
      </svg>
      <span className="pace-word">
        <span className="num">{pace.paused ? 'paused' : paceText(pace.actual)}</span>
        <small>{pace.limited ? 'cannot keep up' : story && pace.phase !== null ? PHASE_WORDS[pace.phase] : ''}</small>
      </span>
    </div>
  )
}

function Scale() {
  return (
    <>
      <path d="M8 20.5H228" stroke="var(--line-3)" />
      {DECADES.slice(0, -1).flatMap((decade) => [2, 3, 4, 5, 6, 7, 8, 9].map((step) => <path key={decade * step} d={`M${scale(decade * step)} 14V20`} stroke="var(--line-3)" />))}
      {DECADES.map((decade) => (
        <path key={decade} d={`M${scale(decade)} 11V20`} stroke="var(--text-2)" />
      ))}
      {DECADES.map((decade, index) => (
        <text key={decade} className="num" x={scale(decade)} y="30.5" dx={index === 0 ? -8 : index === DECADES.length - 1 ? 8 : 0} textAnchor={index === 0 ? 'start' : index === DECADES.length - 1 ? 'end' : 'middle'}>
          {decade < 1 ? `1/${Math.round(1 / decade)}` : decade}
        </text>
      ))}
    </>
  )
}
