import type { CallFate } from './imported-option.ts'
import type { JavaExpression } from './java-expression.ts'

/** One setting that a call makes. */
export interface CallSetting extends CallFate {
  /** An option's key, or the call (and its argument) where no option stands for it. */
  readonly key: string
  readonly value: string | null
}

export type Args = readonly JavaExpression[]

/** Arguments that nothing reads, each as a setting of its own: nothing of a call is passed over. */
export function restOf(name: string, args: Args, read: number): readonly CallSetting[] {
  return args.slice(read).map((argument, index) => ({
    key: `${name}(…, ${argument.kind === 'named' ? argument.name : `argument ${read + index + 1}`})`,
    value: null,
    fate: 'unknown',
    note: 'An argument that is not known here; it is listed and does nothing.',
  }))
}
