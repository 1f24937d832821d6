/** Java source → tokens, enough to read calls with literal arguments. */
export interface JavaToken {
  readonly kind: 'name' | 'number' | 'string' | 'mark'
  /** Of a string: what it stands for, without quotes and escapes. */
  readonly text: string
  readonly start: number
  readonly end: number
}

const TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"((?:[^"\\\n]|\\.)*)"|'(?:[^'\\\n]|\\.)*'|(\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?[LlFfDd]?)|([A-Za-z_$][\w$]*)|(\S)/g
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' }

export function javaTokens(source: string): readonly JavaToken[] {
  const tokens: JavaToken[] = []
  for (const match of source.matchAll(TOKEN)) {
    const [whole, string, number, name, mark] = match
    const place = { start: match.index, end: match.index + whole.length }
    if (string !== undefined) tokens.push({ kind: 'string', text: unescape(string), ...place })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number.replace(/_|[LlFfDd]$/g, ''), ...place })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, ...place })
    else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark, ...place })
  }
  return tokens
}

const unescape = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_whole, code: string | undefined, letter: string | undefined) => (code !== undefined ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPES[letter ?? ''] ?? letter ?? '')))
