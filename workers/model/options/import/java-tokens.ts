/** Source of Java, Scala, Kotlin or Python → tokens, enough to read calls and assignments. */
export interface JavaToken {
  readonly kind: 'name' | 'number' | 'string' | 'template' | 'mark'
  /** Of a string: what it stands for, without quotes and escapes; of a template: the same, with its variables as they are written. */
  readonly text: string
  readonly start: number
  readonly end: number
  /** A line ends before it. */
  readonly fresh: boolean
}

const TOKEN =
  /\/\/[^\n]*|#[^\n]*|\\\r?\n|\/\*[\s\S]*?(?:\*\/|$)|"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|(0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?[LlFfDd]?)|([A-Za-z_$][\w$]*)|(\S)/g
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' }
/** Before a string of Scala or Python, without a space. */
const PREFIX = /^(s|f|raw|r|u|b|[rbf]{2})$/i
const WITH_VARIABLES = /^(s|f|rf|fr)$/i

/** As JavaScript reads it: without what stands behind for its type; whole numbers that begin with a zero are octal. */
function digits(number: string): string {
  const plain = number.replaceAll('_', '')
  const octal = /^0([0-7]+)[Ll]?$/.exec(plain)
  return octal === null ? plain.replace(/^(0[xX].*?)[Ll]?$|[LlFfDd]$/, '$1') : `0o${octal[1]}`
}

export function javaTokens(source: string): readonly JavaToken[] {
  const tokens: JavaToken[] = []
  // Strings of Kotlin have variables in them.
  const kotlin = /\b(val|var|fun)\b/.test(source)
  let end = 0
  for (const match of source.matchAll(TOKEN)) {
    const [whole, block, docBlock, double, single, number, name, mark] = match
    const text = block ?? docBlock ?? double ?? single
    if (whole.startsWith('\\') && whole.length > 1) {
      end = match.index + whole.length
      continue
    }
    if (text === undefined && number === undefined && name === undefined && mark === undefined) continue
    const place = { start: match.index, end: match.index + whole.length, fresh: source.slice(end, match.index).includes('\n') }
    end = place.end
    if (text !== undefined) {
      const before = tokens.at(-1)
      const prefix = before?.kind === 'name' && before.end === place.start && PREFIX.test(before.text) ? tokens.pop() : undefined
      const template = prefix === undefined ? kotlin && /\$[\w{]/.test(text) : WITH_VARIABLES.test(prefix.text) && /[${]/.test(text)
      tokens.push({ kind: template ? 'template' : 'string', text: double === undefined && single === undefined ? text : unescape(text), ...place, fresh: prefix?.fresh ?? place.fresh })
    } else if (number !== undefined) tokens.push({ kind: 'number', text: digits(number), ...place })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, ...place })
    else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark, ...place })
  }
  return tokens
}

/** For each bracket that opens, the position of the one that closes it; brackets without a partner have none. */
export function closingBrackets(tokens: readonly JavaToken[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>()
  const open: { readonly mark: string; readonly at: number }[] = []
  tokens.forEach((token, at) => {
    if (token.kind !== 'mark') return
    if ('([{'.includes(token.text)) open.push({ mark: token.text, at })
    const partner = ({ ')': '(', ']': '[', '}': '{' } as Record<string, string>)[token.text]
    if (partner === undefined) return
    while (open.length > 0 && open.at(-1)?.mark !== partner) open.pop()
    const begin = open.pop()
    if (begin !== undefined) closing.set(begin.at, at)
  })
  return closing
}

/** `void setInterval(long interval)` declares a method and calls none. */
export function isDeclaration(tokens: readonly JavaToken[], at: number): boolean {
  const before = tokens[at - 1]
  return before !== undefined && !tokens[at]?.fresh && ((before.kind === 'name' && !NOT_A_TYPE.test(before.text)) || before.text === '>' || before.text === ']')
}

const NOT_A_TYPE = /^(return|else|throw|in|do|yield|await|case|and|or|not)$/

const unescape = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_whole, code: string | undefined, letter: string | undefined) => (code !== undefined ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPES[letter ?? ''] ?? letter ?? '')))
