/** Expressions made of literals, names, calls, constructions and arithmetic, in Java, Scala, Kotlin and Python; whatever else stops the reading. */
import type { JavaToken } from './java-tokens.ts'

export type JavaExpression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly text: string }
  /** A string with variables in it. */
  | { readonly kind: 'template'; readonly text: string }
  /** A variable, a class or an enum constant with its path: `CheckpointingMode.EXACTLY_ONCE`. */
  | { readonly kind: 'name'; readonly path: readonly string[] }
  /** Also a property of what is no plain name: `10.seconds`. */
  | { readonly kind: 'call'; readonly receiver: JavaExpression | null; readonly name: string; readonly args: readonly JavaExpression[]; readonly at: number }
  | { readonly kind: 'new'; readonly type: string; readonly args: readonly JavaExpression[] }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: JavaExpression; readonly right: JavaExpression }
  /** `"key" -> "value"` of Scala, `"key" to "value"` of Kotlin. */
  | { readonly kind: 'pair'; readonly left: JavaExpression; readonly right: JavaExpression }
  /** An argument by its name. */
  | { readonly kind: 'named'; readonly name: string; readonly value: JavaExpression }
  /** What cannot be read, such as a lambda: tokens from `from` to before `to`. */
  | { readonly kind: 'other'; readonly from: number; readonly to: number }

export interface JavaSource {
  readonly tokens: readonly JavaToken[]
  readonly closing: ReadonlyMap<number, number>
}

const DEPTH_MAX = 60
/** Links of a chain, operands of a sum: no code that is meant has more, and the rest is read as something new. */
const CHAIN_MAX = 200

/** One expression from `from` on; null if none can be read there. `end` is the position after it. */
export function javaExpression(source: JavaSource, from: number): { readonly expression: JavaExpression; readonly end: number } | null {
  const reader = new ExpressionReader(source, from)
  const expression = reader.sum(0)
  return expression === null ? null : { expression, end: reader.at }
}

class ExpressionReader {
  at: number
  private readonly tokens: readonly JavaToken[]
  private readonly closing: ReadonlyMap<number, number>

  constructor({ tokens, closing }: JavaSource, at: number) {
    this.tokens = tokens
    this.closing = closing
    this.at = at
  }

  sum(depth: number): JavaExpression | null {
    return this.binary(['+', '-'], () => this.binary(['*', '/'], () => this.unary(depth)))
  }

  private binary(operators: readonly string[], operand: () => JavaExpression | null): JavaExpression | null {
    let left = operand()
    for (let length = 0; length < CHAIN_MAX && left !== null && operators.some((operator) => this.isMark(operator)) && !this.isArrow(); length++) {
      const before = this.at
      const operator = this.tokens[this.at++]?.text ?? ''
      const right = operand()
      if (right === null) {
        this.at = before
        return left
      }
      left = { kind: 'binary', operator, left, right }
    }
    return left
  }

  private unary(depth: number): JavaExpression | null {
    if (depth > DEPTH_MAX) return null
    if (this.isMark('-') && !this.isArrow()) {
      this.at++
      const value = this.unary(depth + 1)
      return value === null ? null : { kind: 'binary', operator: '-', left: { kind: 'number', value: 0 }, right: value }
    }
    if (this.isMark('(')) {
      if (!this.closing.has(this.at)) return null
      this.at++
      const inner = this.sum(depth + 1)
      if (inner === null || !this.take(')')) return null
      const next = this.tokens[this.at]
      const cast = inner.kind === 'name' && next !== undefined && !next.fresh && (next.kind !== 'mark' || next.text === '(') && !/^(as|to)$/.test(next.text)
      return cast ? this.unary(depth + 1) : this.suffixes(inner, depth)
    }
    const first = this.primary(depth)
    return first === null ? null : this.suffixes(first, depth)
  }

  private primary(depth: number): JavaExpression | null {
    const token = this.tokens[this.at]
    if (token === undefined || token.kind === 'mark') return null
    this.at++
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text) }
    if (token.kind === 'string' || token.kind === 'template') return { kind: token.kind, text: token.text }
    if (token.text === 'new') return this.construction(depth)
    if (!this.isMark('(')) return { kind: 'name', path: [token.text] }
    const args = this.args(depth)
    if (args === null) return { kind: 'name', path: [token.text] }
    // Kotlin, Scala and Python construct without `new`.
    if (/^[A-Z]/.test(token.text)) return { kind: 'new', type: token.text, args }
    return { kind: 'call', receiver: null, name: token.text, args, at: token.start }
  }

  private construction(depth: number): JavaExpression | null {
    let type = ''
    while (this.tokens[this.at]?.kind === 'name') {
      type = this.tokens[this.at++]?.text ?? ''
      if (!this.isMark('.')) break
      this.at++
    }
    this.skipGenerics()
    if (!this.isMark('(')) return { kind: 'new', type, args: [] }
    const args = this.args(depth)
    return args === null ? null : { kind: 'new', type, args }
  }

  private suffixes(first: JavaExpression, depth: number): JavaExpression | null {
    let value = first
    for (let length = 0; length < CHAIN_MAX; length++) {
      const before = this.at
      // Kotlin: `?.` and `!!.`
      while (this.isMark('?') || this.isMark('!')) this.at++
      if (!this.isMark('.')) {
        this.at = before
        return value
      }
      this.at++
      this.skipGenerics()
      const name = this.tokens[this.at]
      if (name?.kind !== 'name') {
        this.at = before
        return value
      }
      this.at++
      const named = value.kind === 'name' ? value.path : null
      if (name.text === 'asInstanceOf' && this.isMark('[')) this.at = (this.closing.get(this.at) ?? this.at) + 1
      else if (this.isMark('(') && this.tokens[this.at]?.fresh === false) {
        const args = this.args(depth)
        if (args === null) {
          this.at = before
          return value
        }
        value = { kind: 'call', receiver: value, name: name.text, args, at: name.start }
      } else value = named !== null ? { kind: 'name', path: [...named, name.text] } : { kind: 'call', receiver: value, name: name.text, args: [], at: name.start }
    }
    return value
  }

  /** Arguments in parentheses; null if the parenthesis is not closed. */
  private args(depth: number): readonly JavaExpression[] | null {
    const end = this.closing.get(this.at)
    if (end === undefined) return null
    this.at++
    const args: JavaExpression[] = []
    while (this.at < end) {
      args.push(this.argument(end, depth))
      if (this.at < end) this.at++
    }
    this.at = end + 1
    return args
  }

  /** What cannot be read is passed over up to its end. */
  private argument(end: number, depth: number): JavaExpression {
    const start = this.at
    const named = this.tokens[start]?.kind === 'name' && this.isMark('=', start + 1) && !this.isMark('=', start + 2) ? (this.tokens[start]?.text ?? '') : null
    if (named !== null) {
      this.at += 2
      return { kind: 'named', name: named, value: this.argument(end, depth) }
    }
    const left = this.sum(depth + 1)
    const pair = left !== null && (this.isArrow() || this.isName('to'))
    if (pair) this.at += this.isName('to') ? 1 : 2
    const right = pair ? this.sum(depth + 1) : null
    const value: JavaExpression | null = left !== null && right !== null ? { kind: 'pair', left, right } : left
    // A type after the value: `x: Type`, `x as Type`.
    if (value !== null && (this.isMark(':') || this.isName('as'))) this.skipArgument(end)
    if (value !== null && !(pair && right === null) && (this.at >= end || this.isMark(','))) return value
    this.at = start
    this.skipArgument(end)
    return { kind: 'other', from: start, to: this.at }
  }

  private skipArgument(end: number): void {
    while (this.at < end && !this.isMark(',')) this.at = (this.closing.get(this.at) ?? this.at) + 1
  }

  private skipGenerics(): void {
    if (!this.isMark('<')) return
    let depth = 0
    for (; this.at < this.tokens.length; this.at++) {
      if (this.isMark('<')) depth++
      else if (this.isMark('>') && --depth === 0) break
    }
    this.at++
  }

  private take(mark: string): boolean {
    const found = this.isMark(mark)
    if (found) this.at++
    return found
  }

  private isArrow(): boolean {
    return this.isMark('-') && this.isMark('>', this.at + 1) && this.tokens[this.at]?.end === this.tokens[this.at + 1]?.start
  }

  private isName(text: string): boolean {
    const token = this.tokens[this.at]
    return token?.kind === 'name' && token.text === text
  }

  private isMark(mark: string, at = this.at): boolean {
    const token = this.tokens[at]
    return token?.kind === 'mark' && token.text === mark
  }
}
