/**
 * The words of an FFQL query: names and values (bare or quoted), operator symbols and parentheses, each with its column
 * for error messages. Pure.
 */
import { type ApiError, invalidField } from '../../../core/errors.ts'

export interface Token {
  kind: 'word' | 'quoted' | 'symbol' | 'open' | 'close' | 'end'
  /** Of a quoted text what stands between the quotes, escapes resolved. */
  text: string
  /** From 1. */
  column: number
}

/** An error of the query at a column, counted from 1. */
export const errorAt = (column: number, message: string): ApiError =>
  invalidField('q', `At column ${column}: ${message}`)

const SYMBOL = /[=<>]=?|!=/y
/** A bare word ends at a space, a parenthesis or an operator symbol; a quote inside it belongs to it. */
const WORD = /(?:[^\s()=<>!]|!(?!=))+/y

export function tokensOf(q: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < q.length; ) {
    const char = q[at]!
    if (/\s/.test(char)) at++
    else if (char === '(' || char === ')') {
      tokens.push({ kind: char === '(' ? 'open' : 'close', text: char, column: at + 1 })
      at++
    } else if (char === '"' || char === "'") at = quoted(q, at, tokens)
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

/**
 * Reads a quoted text; answers where the next token may begin. A backslash takes a quote or a backslash as it is and
 * stays before anything else, so that `\%` reaches `like`; a doubled quote is one.
 */
function quoted(q: string, start: number, tokens: Token[]): number {
  const quote = q[start]!
  let text = ''
  for (let at = start + 1; at < q.length; at++) {
    const char = q[at]!
    const next = q[at + 1]
    if (char === '\\' && (next === '\\' || next === '"' || next === "'")) {
      text += next
      at++
    } else if (char !== quote) text += char
    else if (next === quote) {
      text += quote
      at++
    } else {
      tokens.push({ kind: 'quoted', text, column: start + 1 })
      return at + 1
    }
  }
  throw errorAt(start + 1, `the quote ${quote} is not closed.`)
}
