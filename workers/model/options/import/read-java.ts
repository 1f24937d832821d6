/** Java code of older and newer texts → settings: calls on the environment, on its CheckpointConfig and on a Configuration (behaviour 21.6). */
import { findOption } from '../option-table.ts'
import type { CallSetting } from './call-setting.ts'
import type { ImportedOption, ImportResult, UnreadPart } from './imported-option.ts'
import { readCall } from './java-calls.ts'
import { javaExpression, type JavaExpression } from './java-expression.ts'
import { javaTokens, type JavaToken } from './java-tokens.ts'
import { judgeEntry } from './judge-entry.ts'
import { lineOf } from './read-statements.ts'

const TEXT_MAX = 300

export function readJava(source: string): ImportResult {
  const options: ImportedOption[] = []
  const unread: UnreadPart[] = []
  const variables = new Map<string, JavaExpression>()
  for (const statement of statements(javaTokens(source))) {
    const first = statement[0]
    const last = statement.at(-1)
    if (first === undefined || last === undefined || first.text === 'import' || first.text === 'package') continue
    const text = source.slice(first.start, last.end).replace(/\s+/g, ' ').slice(0, TEXT_MAX)
    const begin = valueStart(statement)
    const read = javaExpression(statement, begin)
    if (read !== null && begin > 0) variables.set(statement[begin - 2]?.text ?? '', read.expression)
    if (read === null || read.end < statement.length) {
      if (looksLikeSetting(statement)) unread.push({ line: lineOf(source, first.start), text, reason: 'It looks like a setting, but it cannot be read.' })
      if (read === null) continue
    }
    for (const call of callsOf(read.expression)) options.push(...judgeCall(substitute(call, variables), text, lineOf(source, call.at)))
  }
  return { options, unread }
}

type Call = Extract<JavaExpression, { kind: 'call' }>

/** Statements: between semicolons and braces that are not inside parentheses. */
function statements(tokens: readonly JavaToken[]): readonly (readonly JavaToken[])[] {
  const found: JavaToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    const mark = token.kind === 'mark' ? token.text : ''
    if (mark === '(') depth++
    if (mark === ')') depth = Math.max(0, depth - 1)
    if (depth === 0 && (mark === ';' || mark === '{' || mark === '}')) found.push([])
    else found.at(-1)?.push(token)
  }
  return found.filter((statement) => statement.length > 0)
}

/** After `Type name =`, where the statement begins so; else 0. */
function valueStart(statement: readonly JavaToken[]): number {
  const equals = statement.findIndex((token) => token.kind === 'mark' && (token.text === '=' || token.text === '('))
  return equals > 0 && statement[equals]?.text === '=' && statement[equals - 1]?.kind === 'name' ? equals + 1 : 0
}

const looksLikeSetting = (statement: readonly JavaToken[]): boolean =>
  statement.some((token, index) => token.kind === 'name' && /^(getCheckpointConfig|enableCheckpointing|setStateBackend|setRestartStrategy|setCheckpointStorage)$/.test(token.text) && statement[index + 1]?.text === '(')

/** The calls of a chain, first to last. */
function callsOf(expression: JavaExpression): readonly Call[] {
  const calls: Call[] = []
  for (let at: JavaExpression | null = expression; at?.kind === 'call'; at = at.receiver) calls.unshift(at)
  return calls
}

/** Variables of the text stand for what they were given. */
function substitute(call: Call, variables: ReadonlyMap<string, JavaExpression>): Call {
  const known = (expression: JavaExpression, depth: number): JavaExpression => {
    if (depth > 8) return expression
    if (expression.kind === 'name' && expression.path.length === 1) {
      const value = variables.get(expression.path[0] ?? '')
      return value === undefined ? expression : known(value, depth + 1)
    }
    if (expression.kind === 'call' || expression.kind === 'new') return { ...expression, args: expression.args.map((argument) => known(argument, depth + 1)) }
    return expression
  }
  return { ...call, args: call.args.map((argument) => known(argument, 0)) }
}

function judgeCall(call: Call, text: string, line: number): readonly ImportedOption[] {
  const read = readCall(call)
  if (read === null) return []
  return read.settings.flatMap((setting) => judgeSetting(setting, read.known, text, line))
}

function judgeSetting(setting: CallSetting, known: boolean, text: string, line: number): readonly ImportedOption[] {
  const from = { text, line }
  if (!known) return [{ key: setting.key, value: null, from, status: 'unknown', note: 'Not a call that is known here; it is listed and does nothing.' }]
  if (setting.fate === 'removed' && findOption(setting.key) === undefined) return [{ key: setting.key, value: null, from, status: 'removed', note: setting.note ?? '' }]
  return judgeEntry({ key: setting.key, value: setting.value, text, line }).map((option) => {
    const notes = [setting.note, setting.value === null ? 'The text does not say the value.' : option.status === 'unchanged' ? null : option.note].filter((note) => typeof note === 'string')
    return { ...option, status: setting.fate ?? option.status, note: notes.length === 0 ? option.note : notes.join(' ') }
  })
}
