/** How much of what the browser grants this page is used, by everything of it. */
import { bytes } from '../widgets/figures.ts'

interface QuotaProps {
  readonly usedBytes: number
  readonly limitBytes: number
}

/** A share that would not be seen is drawn one pixel wide all the same. */
const SEEN = 0.006

export function QuotaGauge({ usedBytes, limitBytes }: QuotaProps) {
  const share = limitBytes === 0 ? 0 : usedBytes / limitBytes
  const said = `${bytes(usedBytes)} of ${bytes(limitBytes)} used, ${shareText(share)}`
  return (
    <div className={`quota${share > 0.8 ? ' tight' : ''}`} title="Of the whole origin, as the browser tells it">
      <span className="quota-word">Quota</span>
      <span className="quota-bar" role="meter" aria-label="Quota" aria-valuemin={0} aria-valuemax={limitBytes} aria-valuenow={usedBytes} aria-valuetext={said}>
        <i style={{ width: `${Math.min(1, Math.max(SEEN, share)) * 100}%` }} />
      </span>
      <span className="quota-figure">
        <b className="num">{bytes(usedBytes)}</b> of <span className="num">{bytes(limitBytes)}</span>
        {share > 0.8 && `, ${shareText(share)}: delete what nobody needs`}
      </span>
    </div>
  )
}

const shareText = (share: number): string => (share > 0 && share < 0.01 ? 'less than 1 %' : `${Math.round(share * 100)} %`)
