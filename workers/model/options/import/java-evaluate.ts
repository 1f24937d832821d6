/** Expressions → simpler ones: variables that the text gives a value, sums and products, texts put together, lengths of time as numbers. */
import type { JavaExpression } from './java-expression.ts'
import { bytesOf, millisOf } from './java-quantities.ts'

export type Variables = ReadonlyMap<string, JavaExpression>

const DEPTH_MAX = 60

export function evaluate(expression: JavaExpression, variables: Variables, depth = 0): JavaExpression {
  if (depth > DEPTH_MAX) return expression
  const inner = (part: JavaExpression): JavaExpression => evaluate(part, variables, depth + 1)
  switch (expression.kind) {
    case 'name':
      return variableOf(expression.path, variables) ?? expression
    case 'template':
      return filled(expression.text, variables) ?? expression
    case 'new':
      return { ...expression, args: expression.args.map(inner) }
    case 'named':
      return { ...expression, value: inner(expression.value) }
    case 'pair':
      return { ...expression, left: inner(expression.left), right: inner(expression.right) }
    case 'binary':
      return calculated(expression.operator, inner(expression.left), inner(expression.right)) ?? { ...expression, left: inner(expression.left), right: inner(expression.right) }
    case 'call':
      return called({ ...expression, receiver: expression.receiver === null ? null : inner(expression.receiver), args: expression.args.map(inner) })
    default:
      return expression
  }
}

/** `NAME`, `this.name`, `Job.NAME`: what the text gave it. */
function variableOf(path: readonly string[], variables: Variables): JavaExpression | undefined {
  return path.length <= 2 ? variables.get(path.at(-1) ?? '') : undefined
}

function calculated(operator: string, left: JavaExpression, right: JavaExpression): JavaExpression | null {
  if (left.kind === 'number' && right.kind === 'number') return { kind: 'number', value: calculate(left.value, operator, right.value) }
  const texts = [left, right].map((part) => (part.kind === 'string' ? part.text : part.kind === 'number' ? String(part.value) : null))
  if (operator !== '+' || texts.includes(null)) return null
  return { kind: 'string', text: texts.join('') }
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
      return Number.isInteger(left) && Number.isInteger(right) ? Math.trunc(left / right) : left / right
  }
}

/** Null: a variable in it has no value here. */
function filled(template: string, variables: Variables): JavaExpression | null {
  let known = true
  const text = template.replace(/\$?\{\s*([\w.]+)\s*\}|\$(\w+)/g, (_whole, braced: string | undefined, bare: string | undefined) => {
    const value = variableOf((braced ?? bare ?? '').split('.'), variables)
    if (value?.kind === 'string') return value.text
    if (value?.kind === 'number') return String(value.value)
    known = false
    return ''
  })
  return known && !/[{}]|\$\w/.test(text) ? { kind: 'string', text } : null
}

const SAME = /^(to(Int|Long|String|Float|Double)|(int|long|double|float)Value|toIntExact|valueOf|parse(Int|Long|Double)|trim|toUri|of|get|create|path)$/
const IN_UNIT: Readonly<Record<string, number>> = { tomillis: 1, tomilliseconds: 1, inwholemilliseconds: 1, toseconds: 1000, getseconds: 1000, inwholeseconds: 1000, tominutes: 60_000, inwholeminutes: 60_000 }

type Call = Extract<JavaExpression, { kind: 'call' }>

function called(call: Call): JavaExpression {
  const { receiver, args } = call
  const unit = IN_UNIT[call.name.replaceAll('_', '').toLowerCase()]
  if (unit !== undefined) {
    const millis = args.length === 0 && receiver !== null ? millisOf(receiver) : unitOf(receiver, args)
    return millis === null ? call : { kind: 'number', value: Math.trunc(millis / unit) }
  }
  if (/^get_?bytes$/i.test(call.name) && args.length === 0 && receiver !== null) {
    const bytes = bytesOf(receiver)
    return bytes === null ? call : { kind: 'number', value: bytes }
  }
  if (!SAME.test(call.name)) return call
  const [only] = args
  const plain = (part: JavaExpression | null | undefined): part is JavaExpression => part?.kind === 'number' || part?.kind === 'string'
  if (args.length === 0 && plain(receiver)) return receiver
  // `Integer.parseInt("5")`, `Paths.get("/a")`, `URI.create("/a")`, `Math.toIntExact(5)`
  const ofClass = receiver?.kind === 'name' && /^(Integer|Long|Double|String|Math|Paths?|URI)$/.test(receiver.path.at(-1) ?? '')
  if (args.length !== 1 || !ofClass || !plain(only)) return call
  return call.name.startsWith('parse') && only.kind === 'string' && only.text.trim() !== '' && !Number.isNaN(Number(only.text)) ? { kind: 'number', value: Number(only.text) } : only
}

/** `TimeUnit.MINUTES.toMillis(10)` in milliseconds. */
function unitOf(receiver: JavaExpression | null, args: readonly JavaExpression[]): number | null {
  return receiver?.kind === 'name' && args[0] !== undefined ? millisOf({ kind: 'call', receiver: null, name: 'of', args: [args[0], receiver], at: 0 }) : null
}
