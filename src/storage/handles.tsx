import { count } from '../widgets/figures.ts'

/** Where the bytes are: in `_metadata`, beside it, or at a path that a moved copy does not follow. */
export function Handles({ inline, relative, absolute }: { readonly inline: number; readonly relative: number; readonly absolute: number }) {
  return (
    <span className="handles">
      <span>
        <b className="num">{count(inline)}</b> inline
      </span>
      <span>
        <b className="num">{count(relative)}</b> relative
      </span>
      <span className={absolute > 0 ? 'absolute' : ''}>
        <b className="num">{count(absolute)}</b> absolute
      </span>
    </span>
  )
}
