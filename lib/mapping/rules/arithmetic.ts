/**
 * Parses equations over fields into functions over numbers, without access to JavaScript. A field is named by its key
 * if that is a word (`age * 4`), else in braces (`{Unit Price} * {Qty}`); `{0}` is the first one.
 */
import { message } from '../../../schemas/messages/index.ts'

export type Equation = (numbers: readonly number[]) => number

export class EquationError extends Error {}

const FUNCTIONS: {
  readonly [name: string]: { minArgs: number; maxArgs: number; apply: (...numbers: number[]) => number }
} = {
  abs: { minArgs: 1, maxArgs: 1, apply: Math.abs },
  ceil: { minArgs: 1, maxArgs: 1, apply: Math.ceil },
  floor: { minArgs: 1, maxArgs: 1, apply: Math.floor },
  max: { minArgs: 1, maxArgs: 50, apply: Math.max },
  min: { minArgs: 1, maxArgs: 50, apply: Math.min },
  round: {
    minArgs: 1,
    maxArgs: 2,
    apply: (value, digits = 0) =>
      Math.sign(value) * Number(`${Math.round(Number(`${Math.abs(value)}e${digits}`))}e${-digits}`),
  },
  sqrt: { minArgs: 1, maxArgs: 1, apply: Math.sqrt },
}

const OPERATORS: { readonly [sign: string]: { power: number; apply: (a: number, b: number) => number } } = {
  '+': { power: 1, apply: (a, b) => a + b },
  '-': { power: 1, apply: (a, b) => a - b },
  '*': { power: 2, apply: (a, b) => a * b },
  '/': { power: 2, apply: (a, b) => a / b },
  '%': { power: 2, apply: (a, b) => a % b },
  '^': { power: 4, apply: (a, b) => a ** b },
}
/** A sign binds tighter than a product and weaker than a power: -2^2 is -4. */
const SIGN_POWER = 3
const MAX_DEPTH = 100

const TOKEN = /\s*(?:(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+)|\{([^}]*)\}|([\p{L}_][\p{L}\p{N}_]*)|([-+*/%^(),]))/uy

interface Token {
  kind: 'number' | 'field' | 'word' | 'sign' | 'end'
  text: string
  column: number
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (/\S/.test(text.slice(TOKEN.lastIndex))) {
    const from = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    const column = from + (/\S/.exec(text.slice(from))?.index ?? 0) + 1
    if (!found)
      throw new EquationError(
        message('mappings.unexpectedCharacter', { position: column, character: text[column - 1]! }),
      )
    const [, number, parseField, word, sign] = found
    if (number !== undefined) tokens.push({ kind: 'number', text: number, column })
    else if (parseField !== undefined) tokens.push({ kind: 'field', text: parseField.trim(), column })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, column })
    else tokens.push({ kind: 'sign', text: sign!, column })
  }
  tokens.push({ kind: 'end', text: message('mappings.endOfEquation'), column: text.length + 1 })
  return tokens
}

/**
 * `fields` are in the order of the numbers; their prefix `destination!` is optional. @throws EquationError naming the
 * position
 */
export function parseEquation(text: string, fields: readonly string[]): Equation {
  const tokens = tokenize(text)
  let at = 0
  const peek = () => tokens[at]!
  const next = () => tokens[at++]!
  const isSign = (sign: string) => peek().kind === 'sign' && peek().text === sign
  const createUnexpectedError = ({ text: found, column }: Token, expected: string) =>
    new EquationError(message('mappings.expectedInEquation', { expected, position: column, found }))
  const expectSign = (sign: string) => {
    if (!isSign(sign)) throw createUnexpectedError(peek(), sign)
    at++
  }

  function parseField({ text: name, column }: Token): Equation {
    const index = /^\d+$/.test(name) && !fields.includes(name) ? Number(name) : findFieldIndex(name)
    if (index < 0 || index >= fields.length)
      throw new EquationError(message('mappings.unknownEquationField', { name, position: column }))
    return (numbers) => numbers[index]!
  }
  const findFieldIndex = (name: string) => {
    const index = fields.indexOf(name)
    return index >= 0 ? index : fields.indexOf(`destination!${name}`)
  }

  function parseCall({ text: name, column }: Token, depth: number): Equation {
    expectSign('(')
    const args = [parseExpression(0, depth)]
    while (isSign(',')) {
      at++
      args.push(parseExpression(0, depth))
    }
    expectSign(')')
    const { minArgs, maxArgs, apply } = FUNCTIONS[name]!
    if (args.length < minArgs || args.length > maxArgs)
      throw new EquationError(
        minArgs === maxArgs
          ? message('mappings.wrongArgumentCount', { name, position: column, count: minArgs })
          : message('mappings.wrongArgumentRange', { name, position: column, minimum: minArgs, maximum: maxArgs }),
      )
    return (numbers) => apply(...args.map((arg) => arg(numbers)))
  }

  function parseOperand(depth: number): Equation {
    const token = next()
    if (token.kind === 'number') {
      const value = Number(token.text)
      return () => value
    }
    if (token.kind === 'field') return parseField(token)
    if (token.kind === 'word')
      return isSign('(') && Object.hasOwn(FUNCTIONS, token.text) ? parseCall(token, depth) : parseField(token)
    if (token.text === '(') {
      const inner = parseExpression(0, depth)
      expectSign(')')
      return inner
    }
    if (token.text === '-' || token.text === '+') {
      const apply = parseExpression(SIGN_POWER, depth)
      return token.text === '-' ? (numbers) => -apply(numbers) : apply
    }
    throw createUnexpectedError(token, message('mappings.operand'))
  }

  function parseExpression(power: number, depth: number): Equation {
    if (depth > MAX_DEPTH) throw new EquationError(message('mappings.equationTooDeep', { count: MAX_DEPTH }))
    let left = parseOperand(depth + 1)
    for (;;) {
      const operator = peek().kind === 'sign' ? OPERATORS[peek().text] : undefined
      if (!operator || operator.power <= power) return left
      at++
      const right = parseExpression(operator.power === 4 ? SIGN_POWER - 1 : operator.power, depth + 1)
      const first = left
      left = (numbers) => operator.apply(first(numbers), right(numbers))
    }
  }

  const equation = parseExpression(0, 0)
  if (peek().kind !== 'end') throw createUnexpectedError(peek(), message('mappings.operator'))
  return equation
}
