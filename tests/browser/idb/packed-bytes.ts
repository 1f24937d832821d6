/** Data with bytes in it, as JSON: each `Uint8Array` becomes `{ base64 }`. */

export function packed(value: unknown): unknown {
  if (value instanceof Uint8Array) {
    let text = ''
    for (let at = 0; at < value.length; at += 0x8000) text += String.fromCharCode(...value.subarray(at, at + 0x8000))
    return { base64: btoa(text) }
  }
  if (Array.isArray(value)) return value.map(packed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, packed(each)]))
}

export function unpacked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpacked)
  if (typeof value !== 'object' || value === null) return value
  const { base64 } = value as { readonly base64?: string }
  if (base64 !== undefined) return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unpacked(each)]))
}
