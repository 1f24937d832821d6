/** Java expressions made of literals, names, calls, `new` and sums or products of numbers; whatever else stops the reading. */
import type { JavaToken } from './java-tokens.ts'

export type JavaExpression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly text: string }
  /** A variable, a class or an enum constant with its path: `CheckpointingMode.EXACTLY_ONCE`. */
  | { readonly kind: 'name'; readonly path: readonly string[] }
  | { readonly kind: 'call'; readonly receiver: JavaExpression | null; readonly name: string; readonly args: readonly JavaExpression[]; readonly at: number }
  | { readonly kind: 'new'; readonly type: string; readonly args: readonly JavaExpression[] }
  /** What is no literal and no call that is read here, such as a lambda. */
  | { readonly kind: 'other' }

const DEPTH_MAX = 60

/** One expression from `from` on; null if none can be read there. `end` is the position after it. */
export function javaExpression(tokens: readonly JavaToken[], from: number): { readonly expression: JavaExpression; readonly end: number } | null {
  const reader = new ExpressionReader(tokens, from)
  const expression = reader.sum(0)
  return expression === null ? null : { expression, end: reader.at }
}

class ExpressionReader {
  at: number
  private readonly tokens: readonly JavaToken[]

  constructor(tokens: readonly JavaToken[], at: number) {
    this.tokens = tokens
    this.at = at
  }

  sum(depth: number): JavaExpression | null {
    return this.binary(['+', '-'], () => this.binary(['*', '/'], () => this.unary(depth)))
  }

  private binary(operators: readonly string[], operand: () => JavaExpression | null): JavaExpression | null {
    let left = operand()
    while (left !== null && operators.some((operator) => this.isMark(operator))) {
      const operator = this.tokens[this.at++]?.text ?? ''
      const right = operand()
      if (right === null) return null
      left = left.kind === 'number' && right.kind === 'number' ? { kind: 'number', value: calculate(left.value, operator, right.value) } : { kind: 'other' }
    }
    return left
  }

  private unary(depth: number): JavaExpression | null {
    if (depth > DEPTH_MAX) return null
    if (this.isMark('-')) {
      this.at++
      const value = this.unary(depth + 1)
      return value?.kind === 'number' ? { kind: 'number', value: -value.value } : null
    }
    if (this.isMark('(')) {
      this.at++
      const inner = this.sum(depth + 1)
      if (inner === null || !this.take(')')) return null
      const cast = inner.kind === 'name' && (this.tokens[this.at]?.kind === 'number' || this.tokens[this.at]?.kind === 'name')
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
    if (token.kind === 'string') return { kind: 'string', text: token.text }
    if (token.text === 'new') return this.construction(depth)
    if (!this.isMark('(')) return { kind: 'name', path: [token.text] }
    const args = this.args(depth)
    return args === null ? null : { kind: 'call', receiver: null, name: token.text, args, at: token.start }
  }

  private construction(depth: number): JavaExpression | null {
    let type = ''
    while (this.tokens[this.at]?.kind === 'name') {
      type = this.tokens[this.at++]?.text ?? ''
      if (this.isMark('.')) this.at++
    }
    this.skipGenerics()
    const args = this.args(depth)
    return args === null ? null : { kind: 'new', type, args }
  }

  private suffixes(first: JavaExpression, depth: number): JavaExpression | null {
    let value = first
    while (this.isMark('.')) {
      this.at++
      this.skipGenerics()
      const name = this.tokens[this.at++]
      if (name?.kind !== 'name') return null
      if (this.isMark('(')) {
        const args = this.args(depth)
        if (args === null) return null
        value = { kind: 'call', receiver: value, name: name.text, args, at: name.start }
      } else value = value.kind === 'name' ? { kind: 'name', path: [...value.path, name.text] } : { kind: 'other' }
    }
    return value
  }

  /** Arguments in parentheses; one that cannot be read is passed over up to its end. */
  private args(depth: number): readonly JavaExpression[] | null {
    if (!this.take('(')) return null
    const args: JavaExpression[] = []
    while (!this.isMark(')')) {
      const start = this.at
      const value = this.sum(depth + 1)
      if (value !== null && (this.isMark(',') || this.isMark(')'))) args.push(value)
      else {
        this.at = start
        if (!this.skipArgument()) return null
        args.push({ kind: 'other' })
      }
      if (this.isMark(',')) this.at++
    }
    this.at++
    return args
  }

  private skipArgument(): boolean {
    let depth = 0
    for (; this.at < this.tokens.length; this.at++) {
      const token = this.tokens[this.at]
      if (token?.kind !== 'mark') continue
      if ('([{'.includes(token.text)) depth++
      else if (depth === 0 && (token.text === ',' || token.text === ')')) return true
      else if (')]}'.includes(token.text)) depth--
    }
    return false
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

  private isMark(mark: string): boolean {
    const token = this.tokens[this.at]
    return token?.kind === 'mark' && token.text === mark
  }
}

function calculate(left: number, operator: string, right: number): number {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    default:
      return Math.trunc(left / right)
  }
}
