import { Icon } from '../widgets/icon.tsx'

interface ExpanderProps {
  readonly open: boolean
  /** What it opens. */
  readonly label: string
  readonly onToggle: () => void
}

/** The button at the beginning of a row that opens what is below it. */
export function Expander({ open, label, onToggle }: ExpanderProps) {
  return (
    <button type="button" className={`expander${open ? ' open' : ''}`} aria-expanded={open} aria-label={label} onClick={onToggle}>
      <Icon name="chevron" size={12} />
    </button>
  )
}
