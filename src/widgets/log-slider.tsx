/** A setting over several powers of ten: a small slider with the number beside it. */
import { useId } from 'react'

const STEPS_PER_POWER = 20

interface SliderProps {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly format: (value: number) => string
  readonly disabled?: boolean
  /** The leftmost step is 0, not `min`. */
  readonly fromZero?: boolean
  /** The rightmost step is Infinity, not `max`. */
  readonly toInfinity?: boolean
  readonly onChange: (value: number) => void
}

/** `min` is above zero. Values are rounded to two digits. */
export function LogSlider({ label, value, min, max, format, disabled = false, fromZero = false, toInfinity = false, onChange }: SliderProps) {
  const id = useId()
  const steps = Math.round(Math.log10(max / min) * STEPS_PER_POWER)
  const valueAt = (step: number): number => {
    if (fromZero && step === 0) return 0
    return toInfinity && step === steps ? Infinity : Number((min * 10 ** (step / STEPS_PER_POWER)).toPrecision(2))
  }
  const at = Math.round(Math.log10(Math.max(min, Math.min(max, value)) / min) * STEPS_PER_POWER)
  return (
    <span className="log-slider">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={steps}
        value={at}
        disabled={disabled}
        aria-valuetext={format(value)}
        onChange={(event) => onChange(valueAt(Number(event.target.value)))}
      />
      <output htmlFor={id} className="num">
        {format(value)}
      </output>
    </span>
  )
}
