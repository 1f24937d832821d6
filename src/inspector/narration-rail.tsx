/** What happens, one plain sentence after another. A log for readers, not a feed of alerts. */
import { useEffect, useRef, useState } from 'react'
import type { Sentence } from '../../workers/projections/sentence.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { Segmented } from '../widgets/controls.tsx'
import { clock } from '../widgets/figures.ts'
import { sentenceKeys } from './sentence-keys.ts'

const SHOWN_MAX = 80
/** A reader hears at most one sentence in so many milliseconds. */
const SPOKEN_MILLIS = 1500

export function NarrationRail() {
  const narration = useRun((state) => state.run.narration)
  const level = useView((state) => state.narrationLevel)
  const set = useView((state) => state.set)
  const shown = narration.filter((sentence) => sentence.importance <= level).slice(-SHOWN_MAX).toReversed()
  const keys = sentenceKeys(shown)
  return (
    <section className="narration" aria-label="Narration">
      <header>
        <b>Narration</b>
        <span className="grow" />
        <Segmented
          label="Importance: acts of the job, steps of the protocol, everything"
          options={[
            { value: 1, title: '1' },
            { value: 2, title: '2' },
            { value: 3, title: '3' },
          ]}
          value={level}
          onChange={(next) => set({ narrationLevel: next })}
        />
      </header>
      <ol>
        {shown.map((sentence, index) => (
          <li key={keys.get(sentence)} className={index === 0 ? 'now' : ''}>
            <time>{clock(sentence.at)}</time>
            <span>
              {sentence.subject !== null && <b>{sentence.subject} </b>}
              {sentence.text}
            </span>
          </li>
        ))}
      </ol>
      <Spoken newest={shown[0]} />
    </section>
  )
}

/** The newest sentence alone, where the rail is folded away. */
export function NarrationLine() {
  const level = useView((state) => state.narrationLevel)
  const newest = useRun((state) => state.run.narration.findLast((sentence) => sentence.importance <= level))
  return (
    <p className="narration-line">
      {newest !== undefined && (
        <>
          <time className="num">{clock(newest.at)}</time>
          <span>
            {newest.subject !== null && <b>{newest.subject} </b>}
            {newest.text}
          </span>
        </>
      )}
      <Spoken newest={newest} />
    </p>
  )
}

/** For screen readers: the newest sentence, not more often than it can be said. */
function Spoken({ newest }: { readonly newest: Sentence | undefined }) {
  const [said, setSaid] = useState('')
  const latest = useRef(newest)
  useEffect(() => {
    latest.current = newest
  })
  useEffect(() => {
    const timer = setInterval(() => {
      const sentence = latest.current
      if (sentence !== undefined) setSaid(`${sentence.subject ?? ''} ${sentence.text}`.trim())
    }, SPOKEN_MILLIS)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className="sr" role="log" aria-live="polite">
      {said}
    </span>
  )
}
