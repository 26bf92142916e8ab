/** Tokens of an FFQL query with their columns for error messages. */
import { message } from '../../../../schemas/messages/index.ts'
import { type ApiError, invalidField } from '../../../core/errors.ts'

export interface Token {
  kind: 'word' | 'quoted' | 'symbol' | 'open' | 'close' | 'end'
  text: string
  column: number
}

export const createQueryError = (column: number, problem: string): ApiError =>
  invalidField('q', message('records.queryError', { column: String(column), problem }))

const SYMBOL = /[=<>]=?|!=/y
const WORD = /(?:[^\s()=<>!]|!(?!=))+/y

export function tokenize(q: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < q.length; ) {
    const char = q[at]!
    if (/\s/.test(char)) at++
    else if (char === '(' || char === ')') {
      tokens.push({ kind: char === '(' ? 'open' : 'close', text: char, column: at + 1 })
      at++
    } else if (char === '"' || char === "'") at = readQuoted(q, at, tokens)
    else {
      const symbol = matchAt(SYMBOL, q, at)
      const text = symbol ?? matchAt(WORD, q, at)!
      tokens.push({ kind: symbol ? 'symbol' : 'word', text, column: at + 1 })
      at += text.length
    }
  }
  tokens.push({ kind: 'end', text: '', column: q.length + 1 })
  return tokens
}

function matchAt(pattern: RegExp, q: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(q)?.[0]
}

/** A backslash escapes only quotes and backslashes, so that `\%` reaches `like`; a doubled quote is one quote. */
function readQuoted(q: string, start: number, tokens: Token[]): number {
  const quote = q[start]!
  let text = ''
  for (let at = start + 1; at < q.length; at++) {
    const char = q[at]!
    const nextChar = q[at + 1]
    if (char === '\\' && (nextChar === '\\' || nextChar === '"' || nextChar === "'")) {
      text += nextChar
      at++
    } else if (char !== quote) text += char
    else if (nextChar === quote) {
      text += quote
      at++
    } else {
      tokens.push({ kind: 'quoted', text, column: start + 1 })
      return at + 1
    }
  }
  throw createQueryError(start + 1, message('records.quoteNotClosed', { quote }))
}
