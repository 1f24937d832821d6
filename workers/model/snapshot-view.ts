/**
 * What the page shows of any snapshot of Flink's, ours or another's: plain data, made by savepoint/open-snapshot.ts. What could not be
 * read is told as such and shown as class name, size and first bytes.
 */

/** A decoded value. A Long that is no exact number is a bigint. */
export type ValueView =
  | null
  | boolean
  | number
  | bigint
  | string
  /** A value that JavaScript has no type for: `2024-05-01`, a decimal, an enum's constant. */
  | { readonly kind: 'text'; readonly type: string; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ValueView[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [ValueView, ValueView])[] }
  | { readonly kind: 'record'; readonly type: string; readonly fields: readonly { readonly name: string; readonly value: ValueView }[] }
  | { readonly kind: 'bytes'; readonly size: number; readonly hex: string }
  /** Not decoded: `type` is the class that nobody here knows, or what is wrong with the bytes. `hex` holds the first bytes of `size`. */
  | { readonly kind: 'opaque'; readonly type: string; readonly size: number; readonly hex: string }
