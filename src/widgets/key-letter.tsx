/** A key as a disc: the letter is its identity, the hue helps the eye. Letter and hue are functions of the key alone. */
export const KEY_HUES = 12

/** FNV-1a, so that the same key has the same hue in every place and run. */
export function keyHue(key: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < key.length; i++) h = Math.imul(h ^ key.charCodeAt(i), 0x01000193)
  h ^= h >>> 15
  return (h >>> 0) % KEY_HUES
}

export const keyLetter = (key: string): string => (key.charAt(0) || '·').toUpperCase()

export function KeyLetter({ name }: { readonly name: string }) {
  return (
    <span className="key">
      <i aria-hidden="true" style={{ background: `var(--key-${keyHue(name)})` }}>
        {keyLetter(name)}
      </i>
      {name}
    </span>
  )
}
