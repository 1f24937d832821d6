/** A line of facts: a name over each, as above every table of this page. */
import type { ReactNode } from 'react'

export type Fact = readonly [name: string, value: ReactNode, className?: string]

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="detail-line">
      {facts.map(([name, value, className]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={className ?? ''}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
