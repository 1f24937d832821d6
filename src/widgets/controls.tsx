/** Buttons and switches. A word or a visible label everywhere; nothing lives in a tooltip alone. */
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

interface ButtonProps {
  readonly icon?: IconName
  readonly children?: ReactNode
  /** For a button that shows only its icon. */
  readonly label?: string
  readonly shortcut?: string
  readonly kind?: 'plain' | 'primary' | 'ghost' | 'danger'
  readonly pressed?: boolean
  readonly disabled?: boolean
  readonly className?: string
  readonly onClick: () => void
}

export function Button({ icon, children, label, shortcut, kind = 'plain', pressed, disabled, className = '', onClick }: ButtonProps) {
  const only = children === undefined ? ' icon-only' : ''
  return (
    <button
      type="button"
      className={`btn small ${kind === 'plain' ? '' : kind}${only} ${className}`}
      {...(label === undefined ? {} : { 'aria-label': label, title: label })}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
      {...(shortcut === undefined ? {} : { 'aria-keyshortcuts': shortcut })}
      disabled={disabled}
      onClick={onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children !== undefined && <span className="btn-word">{children}</span>}
      {shortcut !== undefined && <kbd aria-hidden="true">{shortcut}</kbd>}
    </button>
  )
}

interface SegmentedProps<T extends string | number> {
  readonly label: string
  readonly options: readonly { readonly value: T; readonly title: string }[]
  readonly value: T
  readonly onChange: (value: T) => void
}

export function Segmented<T extends string | number>({ label, options, value, onChange }: SegmentedProps<T>) {
  return (
    <span className="segmented" role="group" aria-label={label}>
      {options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChange(option.value)}>
          {option.title}
        </button>
      ))}
    </span>
  )
}
