/** One walk over the tokens of a source: assignments give variables their values, calls give settings. */
import { restOf, type Args, type CallSetting } from './call-setting.ts'
import type { RawEntry, ReadEntries, UnreadPart } from './imported-option.ts'
import { readingOf, READINGS } from './java-calls.ts'
import { isConfigSetter, isOptionKey, readConfigSetter, readMap, readPut } from './java-config-calls.ts'
import { evaluate } from './java-evaluate.ts'
import { javaExpression, type JavaExpression, type JavaSource } from './java-expression.ts'
import { camelCase, declaredNames, isSetterName, receiverOf, type DeclaredNames } from './java-receivers.ts'
import { isDeclaration } from './java-tokens.ts'
import { excerpt, type TextLines } from './text-lines.ts'

type Call = Extract<JavaExpression, { kind: 'call' }>

/** After an operator they are that operator's. */
const OF_OPERATORS = new Set(['setMaxParallelism', 'setBufferTimeout', 'setParallelism', 'disableChaining'])

const OF_ELSEWHERE = 'What it brings is not in this text: paste that too.'
const TAKES_BACK = 'It takes an option back: take that out of what is taken over.'
const WITHIN = 'Statements within code are not read: paste them by themselves.'
/** Calls on what holds settings whose effect the text does not say. */
const UNSAID: ReadonlyMap<string, string> = new Map([
  ['addAll', OF_ELSEWHERE],
  ['configure', OF_ELSEWHERE],
  ['removeKey', TAKES_BACK],
  ['removeConfig', TAKES_BACK],
  ['executeSql', WITHIN],
  ['loadConfiguration', OF_ELSEWHERE],
])
const SET_WITHIN = /\(\s*\w*["']+\s*(RE)?SET\b/i

const DEPTH_MAX = 40

export class JavaScan {
  /** Where the calls begin that have been looked at. */
  readonly seen = new Set<number>()
  private readonly source: string
  private readonly java: JavaSource
  private readonly lines: TextLines
  private readonly names: DeclaredNames
  private readonly variables: Map<string, JavaExpression>
  private readonly assigned = new Map<string, number>()
  private readonly maps: ReadonlySet<string>
  private readonly indexOf: ReadonlyMap<number, number>
  private readonly opening: ReadonlyMap<number, number>
  private readonly found: (RawEntry & { readonly at: number })[] = []
  private readonly unread: UnreadPart[] = []
  private depth = 0
  private strangers: { readonly name: string; readonly at: number }[] = []
  /** Ends of the blocks whose assignments are those of a receiver: `config.apply { … }`. */
  private readonly blocks: number[] = []

  constructor(source: string, java: JavaSource, lines: TextLines, constants: ReadonlyMap<string, JavaExpression>) {
    this.source = source
    this.java = java
    this.lines = lines
    this.names = declaredNames(java.tokens)
    this.variables = new Map(constants)
    this.indexOf = new Map(java.tokens.map(({ start }, index) => [start, index]))
    this.opening = new Map([...java.closing].map(([open, close]) => [close, open]))
    const tokens = java.tokens
    this.maps = new Set(tokens.flatMap((token, at) => (camelCase(token.text) === 'fromMap' && tokens[at + 3]?.text === ')' ? [tokens[at + 2]?.text ?? ''] : [])))
  }

  /** Variables that are assigned once, wherever. */
  constants(): ReadonlyMap<string, JavaExpression> {
    return new Map([...this.variables].filter(([name]) => this.assigned.get(name) === 1))
  }

  result(): ReadEntries {
    return { entries: this.found.toSorted((left, right) => left.at - right.at).map(({ at: _at, ...entry }) => entry), unread: this.unread }
  }

  scan(from: number, to: number): void {
    let at = from
    while (at < to) {
      if (this.text(at) === '{') this.openBlock(at)
      const read = javaExpression(this.java, at)
      if (read === null) {
        at++
        continue
      }
      const { expression, end } = read
      at = this.assignment(expression, at, end) ?? end
      if (at === end) this.visit(expression)
      this.flush()
    }
  }

  private text(at: number): string {
    const token = this.java.tokens[at]
    return token === undefined || token.kind === 'string' ? '' : token.text
  }

  private openBlock(at: number): void {
    const before = this.text(at - 1)
    const ofCall = /^(apply|run|also)$/.test(before) || (before === ')' && this.text((this.opening.get(at - 1) ?? 0) - 1) === 'with')
    const end = this.java.closing.get(at)
    if (ofCall && end !== undefined) this.blocks.push(end)
  }

  /** `name = value`, `config.name = value`, `config[option] = value`: the position after it; null: it is no assignment. */
  private assignment(target: JavaExpression, from: number, end: number): number | null {
    const close = this.text(end) === '[' && this.java.tokens[end]?.fresh === false ? this.java.closing.get(end) : undefined
    const equals = close === undefined ? end : close + 1
    if (this.text(equals) !== '=' || this.text(equals + 1) === '=' || (target.kind !== 'name' && target.kind !== 'call')) return null
    const read = javaExpression(this.java, equals + 1)
    if (read === null) return null
    const value = this.endsAt(read.end) ? evaluate(read.expression, this.variables) : ({ kind: 'other', from: equals + 1, to: read.end } as const)
    if (close !== undefined) this.indexed(target, end + 1, value)
    else if (!this.property(target, from, end, value)) this.variable(from, end, value)
    this.visit(read.expression)
    return read.end
  }

  private endsAt(at: number): boolean {
    const token = this.java.tokens[at]
    return token === undefined || token.fresh || /^[;,)}\]]$/.test(token.kind === 'mark' ? token.text : '')
  }

  private indexed(target: JavaExpression, at: number, value: JavaExpression): void {
    const key = javaExpression(this.java, at)
    if (key === null || (receiverOf(target, this.names) !== 'settings' && !isOptionKey(evaluate(key.expression, this.variables)))) return
    this.call({ kind: 'call', receiver: target, name: 'set', args: [key.expression, value], at: this.java.tokens[at]?.start ?? 0 })
  }

  /** A property of Kotlin or Scala stands for its setter. */
  private property(target: JavaExpression, from: number, end: number, value: JavaExpression): boolean {
    const path = target.kind === 'name' ? target.path : []
    const name = target.kind === 'call' ? target.name : (path.at(-1) ?? '')
    const setter = `set${name.replace(/^is(?=[A-Z])/, '').replace(/^./, (letter) => letter.toUpperCase())}`
    const begins = (this.java.tokens[from]?.fresh ?? false) || /^[{;]$/.test(this.text(from - 1))
    const inBlock = path.length === 1 && this.text(from - 1) !== ':' && begins && this.blocks.some((close) => close > from)
    const receiver: JavaExpression | null = target.kind === 'call' ? target.receiver : path.length > 1 ? { kind: 'name', path: path.slice(0, -1) } : null
    if (receiver === null && !inBlock) return false
    if (/^(this|self)$/.test(path[0] ?? '') && path.length === 2) return false
    const known = Object.hasOwn(READINGS, setter)
    if (!known && (inBlock || receiverOf(receiver, this.names) !== 'settings')) return false
    this.call({ kind: 'call', receiver, name: setter, args: [value], at: this.java.tokens[end - 1]?.start ?? 0 })
    return true
  }

  private variable(from: number, end: number, value: JavaExpression): void {
    // `val name: Type = value`
    const name = this.text(from - 1) === ':' ? this.text(from - 2) : this.text(end - 1)
    this.assigned.set(name, (this.assigned.get(name) ?? 0) + 1)
    if (value.kind === 'other') this.variables.delete(name)
    else this.variables.set(name, value)
  }

  private visit(expression: JavaExpression): void {
    switch (expression.kind) {
      case 'call':
        if (expression.receiver !== null) this.visit(expression.receiver)
        for (const argument of expression.args) this.visit(argument)
        this.call(expression)
        return
      case 'new':
        for (const argument of expression.args) this.visit(argument)
        return
      case 'binary':
      case 'pair':
        this.visit(expression.left)
        this.visit(expression.right)
        return
      case 'named':
        this.visit(expression.value)
        return
      case 'other':
        // What lies deeper is looked through for what looks like a setting.
        if (this.depth < DEPTH_MAX) {
          this.depth++
          this.scan(expression.from, expression.to)
          this.depth--
        }
        return
      default:
    }
  }

  private call(call: Call): void {
    this.seen.add(call.at)
    if (call.receiver === null && isDeclaration(this.java.tokens, this.indexOf.get(call.at) ?? 0)) return
    const name = camelCase(call.name)
    const args = call.args.map((argument) => evaluate(argument, this.variables))
    if (name === 'put' && (isOptionKey(args[0]) || (call.receiver?.kind === 'name' && this.maps.has(call.receiver.path.at(-1) ?? '')))) {
      this.add(call, readPut(args) ?? [])
      return
    }
    if (UNSAID.has(name)) {
      this.unsaid(call, name)
      return
    }
    if (!isSetterName(name) || (call.receiver?.kind === 'name' && call.receiver.path.at(-1) === 'RestartStrategies')) return
    const receiver = receiverOf(call.receiver, this.names)
    if (name === 'fromMap') this.add(call, this.fromMap(call, args))
    else if (isConfigSetter(name)) this.setter(call, name, args, receiver === 'other')
    else if (OF_OPERATORS.has(name) && receiver !== 'settings') this.strangers.push({ name, at: call.at })
    else if (Object.hasOwn(READINGS, name)) this.add(call, readingOf(name, args) ?? [])
    else if (receiver === 'other') this.strangers.push({ name, at: call.at })
    else this.add(call, [{ key: `${name}(…)`, value: null, fate: 'unknown' }])
  }

  /** A Configuration that the text itself fills is read where it is filled. */
  private unsaid(call: Call, name: string): void {
    const text = this.callText(call)
    const [given] = call.args
    const isFilledHere = /^(addAll|configure)$/.test(name) && given?.kind === 'name' && receiverOf(given, this.names) === 'settings'
    const isMeant = name === 'loadConfiguration' || (receiverOf(call.receiver, this.names) === 'settings' && (name === 'executeSql' ? SET_WITHIN.test(text) : !isFilledHere))
    if (isMeant) this.unread.push({ line: this.lines.lineOf(call.at), text, reason: UNSAID.get(name) ?? '' })
  }

  private setter(call: Call, name: string, args: Args, onOther: boolean): void {
    const settings = onOther && !isOptionKey(args[0]) ? null : readConfigSetter(name, args)
    if (settings !== null) this.add(call, settings)
    else if (name !== 'set' || args.length > 1) this.strangers.push({ name, at: call.at })
  }

  private fromMap(call: Call, args: Args): readonly CallSetting[] {
    const [map] = args
    const written = call.args[0]
    if (written?.kind === 'name' && this.maps.has(written.path.at(-1) ?? '') && map?.kind !== 'call') return []
    const settings = map === undefined ? null : readMap(map)
    return settings === null ? [{ key: 'fromMap(…)', value: null, fate: 'unknown', note: 'The text does not say what is in the map.' }] : [...settings, ...restOf('fromMap', args, 1)]
  }

  private add(call: Call, settings: readonly CallSetting[]): void {
    const text = this.callText(call)
    const line = this.lines.lineOf(call.at)
    for (const { key, value, ...fate } of settings) this.found.push({ key, value, text, line, call: fate, group: call.at, at: call.at })
  }

  /** The call without the chain before it. */
  private callText({ at, receiver }: Call): string {
    const index = this.indexOf.get(at) ?? 0
    const close = this.text(index + 1) === '(' ? this.java.closing.get(index + 1) : undefined
    const lineEnd = this.source.indexOf('\n', at)
    const end = close === undefined ? (lineEnd === -1 ? this.source.length : lineEnd) : (this.java.tokens[close]?.end ?? at)
    const before = receiver?.kind === 'name' ? `${receiver.path.join('.')}.` : ''
    return excerpt(before + this.source.slice(at, end))
  }

  /** Calls of one expression on something else, as one part. */
  private flush(): void {
    const [first] = this.strangers
    if (first === undefined) return
    const names = [...new Set(this.strangers.map(({ name }) => name))].join(', ')
    const lineEnd = this.source.indexOf('\n', first.at)
    const lineStart = this.source.lastIndexOf('\n', first.at) + 1
    const text = excerpt(this.source.slice(lineStart, lineEnd === -1 ? this.source.length : lineEnd))
    this.unread.push({ line: this.lines.lineOf(first.at), text, reason: `${names}: no call on the environment, its CheckpointConfig or a Configuration, as far as the text says.` })
    this.strangers = []
  }
}
