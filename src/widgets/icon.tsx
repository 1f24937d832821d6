/** The marks of the language as line drawings on a field of 16 × 16. Own drawings, so that one stroke width holds everywhere. */
import type { ReactNode } from 'react'

const failed = (
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="m5.9 5.9 4.2 4.2M10.1 5.9l-4.2 4.2" />
  </>
)
const pause = (
  <>
    <circle cx="8" cy="8" r="6" />
    <path d="M6.4 5.8v4.4M9.6 5.8v4.4" />
  </>
)
const line = (d: string): ReactNode => <path d={d} />

const DRAWINGS = {
  processing: line('M3 4.5 6.5 8 3 11.5M8 4.5 11.5 8 8 11.5'),
  created: <circle cx="8" cy="8" r="5.8" strokeDasharray="2 2.1" />,
  restarting: line('M12.8 5.6A5.6 5.6 0 1 0 13.6 8M13.4 2.6v3.2h-3.2'),
  failed,
  canceled: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="m4 12 8-8" />
    </>
  ),
  finished: <rect x="3" y="3" width="10" height="10" fill="currentColor" stroke="none" />,
  suspended: pause,
  idle: (
    <>
      <path d="M2.5 8h11" />
      <circle cx="8" cy="8" r="1.6" fill="currentColor" stroke="none" />
    </>
  ),
  backpressured: line('M3 13 6 3M6.6 13l3-10M10.2 13l3-10'),
  hourglass: line('M3.8 2.2h8.4M3.8 13.8h8.4M4.9 2.2v2.1C4.9 6.2 8 6.7 8 8c0 1.3-3.1 1.8-3.1 3.7v2.1M11.1 2.2v2.1C11.1 6.2 8 6.7 8 8c0 1.3 3.1 1.8 3.1 3.7v2.1'),
  sync: (
    <>
      <path d="M8 1.8v12.4" />
      <rect x="5.2" y="4" width="5.6" height="8" fill="currentColor" stroke="none" />
    </>
  ),
  uploading: line('M8 10.5v-8M4.8 5.4 8 2.2l3.2 3.2M2.8 13.6h10.4'),
  restoring: line('M8 2v8M4.8 7 8 10.2 11.2 7M2.8 13.6h10.4'),
  replaying: line('M13 8H3.4M6.6 4.4 3 8l3.6 3.6M13 3.6v8.8'),
  committed: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="m5.4 8.2 1.8 1.8 3.4-3.9" />
    </>
  ),
  acknowledged: (
    <>
      <circle cx="8" cy="8" r="6.2" fill="currentColor" stroke="none" />
      <path d="m5.2 8.2 1.9 1.9 3.7-4.2" stroke="var(--plane)" strokeWidth="1.6" />
    </>
  ),
  flag: line('M4 1.8v12.4M4 2.6h8.5L10.6 5.4 12.5 8.2H4'),
  savepoint: line('M4 1.8v12.4M4 2.6h8.4v6H4'),
  freeze: line('M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3M6.6 5.8v4.4M9.4 5.8v4.4'),
  pause,
  resume: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.7 5.5v5L10.8 8z" fill="currentColor" />
    </>
  ),
  start: line('M4.5 3v10l8.4-5z'),
  cancel: <rect x="3.4" y="3.4" width="9.2" height="9.2" rx=".6" />,
  killSubtask: (
    <>
      <rect x="1.8" y="5.4" width="12.4" height="5.2" rx=".6" />
      <path d="M5.4 2.8 10.6 13.2M10.6 2.8 5.4 13.2" />
    </>
  ),
  killWorker: (
    <>
      <rect x="2.4" y="2.4" width="11.2" height="11.2" rx=".8" />
      <path d="M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2" />
    </>
  ),
  killJobManager: (
    <>
      <path d="M8 1.6 14 5v6l-6 3.4L2 11V5z" />
      <path d="m5.6 5.6 4.8 4.8M10.4 5.6l-4.8 4.8" />
    </>
  ),
  gauge: line('M2.2 11.8a5.9 5.9 0 0 1 11.6 0M8 11.6 4.4 8.7M3.6 8.2l.8.5M8 5v1M12.4 8.2l-.8.5'),
  queue: line('M2 4.4h7M2 8h9.6M2 11.6h7M9.4 5.8 11.8 8l-2.4 2.2M14 3v10'),
  bars: line('M2.6 13.4V10M6.2 13.4V8.6M9.8 13.4V2.4M13.4 13.4v-3'),
  padlock: (
    <>
      <rect x="3.5" y="7" width="9" height="6.5" rx=".8" />
      <path d="M5.4 7V5.2a2.6 2.6 0 0 1 5.2 0V7" />
    </>
  ),
  check: line('m3 8.4 3.2 3.2L13 4.6'),
  close: line('m4 4 8 8M12 4l-8 8'),
  chevron: line('m4 6.2 4 4 4-4'),
  theme: (
    <>
      <circle cx="8" cy="8" r="5.6" />
      <path d="M8 2.4v11.2a5.6 5.6 0 0 0 0-11.2z" fill="currentColor" />
    </>
  ),
  help: line('M6 6a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4v.4M8 12v.2'),
  link: line('M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2A2.6 2.6 0 0 0 9 3.3l-.9.9M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.9-.9'),
  job: (
    <>
      <rect x="1.6" y="3" width="4" height="4" />
      <rect x="1.6" y="9.4" width="4" height="4" />
      <rect x="10.4" y="6.2" width="4" height="4" />
      <path d="M5.6 5c2.6 0 2.2 3.2 4.8 3.2M5.6 11.4c2.6 0 2.2-3.2 4.8-3.2" />
    </>
  ),
  checkpoints: <path d="M2 3.6h5M4.6 8h6M8.4 12.4H14" strokeWidth="2.4" strokeLinecap="butt" />,
  build: line('M2.4 2.4h4.4v4.4H2.4zM9.2 9.2h4.4v4.4H9.2zM2.4 9.2h4.4v4.4H2.4zM11.4 2.4v4.4M9.2 4.6h4.4'),
  list: line('M5.6 4h8M5.6 8h8M5.6 12h8M2.4 4h.6M2.4 8h.6M2.4 12h.6'),
  outputs: line('M2 4.4h7M2 8h9.6M2 11.6h7M9.4 5.8 11.8 8l-2.4 2.2M14 3v10'),
  marking: (
    <>
      <circle cx="5" cy="8" r="3" />
      <path d="M10.2 3v10M12.4 3v10M3 9.6 6.6 6M3.4 10.6" />
    </>
  ),
  fit: line('M2 5.4V2h3.4M10.6 2H14v3.4M14 10.6V14h-3.4M5.4 14H2v-3.4'),
  bottleneck: line('M3.6 14.2V2h8.8l-2 3 2 3H3.6'),
  victim: line('M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2A2.6 2.6 0 0 0 9 3.3l-.9.9M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.9-.9'),
  narration: line('M2.4 2.6h11.2v10.8H2.4zM9.4 2.6v10.8M11.2 5.4h.8M11.2 8h.8'),
  options: line('M2 4.4h7M12 4.4h2M2 11.6h2M7 11.6h7M10.5 2.8v3.2M5.5 10v3.2'),
  compare: line('M2.2 3h4.6v10H2.2zM9.2 3h4.6v10H9.2zM4.5 5.4v2M11.5 5.4v5'),
  storage: (
    <>
      <ellipse cx="8" cy="3.8" rx="5.4" ry="2" />
      <path d="M2.6 3.8v8.4c0 1.1 2.4 2 5.4 2s5.4-.9 5.4-2V3.8M2.6 8c0 1.1 2.4 2 5.4 2s5.4-.9 5.4-2" />
    </>
  ),
  folder: line('M1.8 12.8V3.2h4.4l1.6 2h6.4v7.6z'),
  file: line('M3.6 1.8h5.6l3.2 3.2v9.2H3.6zM9.2 1.8V5h3.2'),
  fileOpen: line('M1.8 12.8V3.2h4.4l1.6 2h5v1.6M1.8 12.8l2.4-6h10.4l-2.4 6z'),
  download: line('M8 2v7.4M4.8 6.6 8 9.8l3.2-3.2M2.4 10.8v3h11.2v-3'),
  upload: line('M8 9.8V2.4M4.8 5.4 8 2.2l3.2 3.2M2.4 10.8v3h11.2v-3'),
  copy: line('M5.4 5.4h8v8h-8zM10.6 5.2V2.6h-8v8h2.6'),
  rename: line('M2.6 13.4l.7-3.2 7.6-7.6 2.5 2.5-7.6 7.6zM9.4 4.2l2.5 2.5'),
  remove: line('M2.4 4.2h11.2M6 4V2.2h4V4M3.8 4.4l.8 9.4h6.8l.8-9.4M6.6 7v4.4M9.4 7v4.4'),
  search: (
    <>
      <circle cx="7" cy="7" r="4.6" />
      <path d="m10.4 10.4 3.4 3.4" />
    </>
  ),
  shared: (
    <>
      <circle cx="3.8" cy="8" r="1.9" />
      <circle cx="12.2" cy="3.8" r="1.9" />
      <circle cx="12.2" cy="12.2" r="1.9" />
      <path d="m5.6 7.2 4.8-2.5M5.6 8.8l4.8 2.5" />
    </>
  ),
  soft: line('M2.6 9.6c1.6-3.2 3.6-3.2 5.4-1.6s3.8 1.6 5.4-1.6'),
  warning: line('M8 2.2 14.4 13.4H1.6zM8 6.4v3.4M8 11.6v.1'),
} as const

export type IconName = keyof typeof DRAWINGS

interface IconProps {
  readonly name: IconName
  readonly size?: 12 | 14 | 16
  /** A word for readers that do not see it; without one the icon is decoration beside its word. */
  readonly label?: string
}

export function Icon({ name, size = 14, label }: IconProps) {
  const said = label === undefined ? ({ 'aria-hidden': true } as const) : ({ role: 'img', 'aria-label': label } as const)
  return (
    <svg className={`icon s${size}`} viewBox="0 0 16 16" {...said}>
      {DRAWINGS[name]}
    </svg>
  )
}

/** A drawing inside another SVG, at the origin. */
export const IconDrawing = ({ name }: { readonly name: IconName }) => DRAWINGS[name]
