/**
 * Equations over fields: numbers, fields, `+ - * / % ^`, parentheses and some functions. Parsed once into functions over
 * numbers; nothing of JavaScript is reachable. Pure.
 *
 * A field stands by its key where that is a word (`age * 4`), else in braces (`{Unit Price} * {Qty}`); `{0}` is the first.
 */

/** Computes from the fields' numbers, in the order they were named. */
export type Equation = (numbers: readonly number[]) => number

export class EquationError extends Error {}

const FUNCTIONS: { readonly [name: string]: { least: number; most: number; of: (...numbers: number[]) => number } } = {
  abs: { least: 1, most: 1, of: Math.abs },
  ceil: { least: 1, most: 1, of: Math.ceil },
  floor: { least: 1, most: 1, of: Math.floor },
  max: { least: 1, most: 50, of: Math.max },
  min: { least: 1, most: 50, of: Math.min },
  round: {
    least: 1,
    most: 2,
    of: (value, digits = 0) =>
      Math.sign(value) * Number(`${Math.round(Number(`${Math.abs(value)}e${digits}`))}e${-digits}`),
  },
  sqrt: { least: 1, most: 1, of: Math.sqrt },
}

const OPERATORS: { readonly [sign: string]: { power: number; of: (a: number, b: number) => number } } = {
  '+': { power: 1, of: (a, b) => a + b },
  '-': { power: 1, of: (a, b) => a - b },
  '*': { power: 2, of: (a, b) => a * b },
  '/': { power: 2, of: (a, b) => a / b },
  '%': { power: 2, of: (a, b) => a % b },
  '^': { power: 4, of: (a, b) => a ** b },
}
/** A sign binds closer than a product, and less than a power: -2^2 is -4. */
const SIGN_POWER = 3
const DEPTH = 100

const TOKEN = /\s*(?:(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+)|\{([^}]*)\}|([\p{L}_][\p{L}\p{N}_]*)|([-+*/%^(),]))/uy

interface Token {
  kind: 'number' | 'field' | 'word' | 'sign' | 'end'
  text: string
  /** From 1. */
  column: number
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (/\S/.test(text.slice(TOKEN.lastIndex))) {
    const from = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    const column = from + (/\S/.exec(text.slice(from))?.index ?? 0) + 1
    if (!found) throw new EquationError(`character ${column} is not understood: ${text[column - 1]}`)
    const [, number, field, word, sign] = found
    if (number !== undefined) tokens.push({ kind: 'number', text: number, column })
    else if (field !== undefined) tokens.push({ kind: 'field', text: field.trim(), column })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, column })
    else tokens.push({ kind: 'sign', text: sign!, column })
  }
  tokens.push({ kind: 'end', text: 'the end', column: text.length + 1 })
  return tokens
}

/**
 * @param fields keys in the order their numbers will come; a prefix `destination!` may be left out in the equation
 * @throws EquationError saying what is wrong where
 */
export function equationOf(text: string, fields: readonly string[]): Equation {
  const tokens = tokensOf(text)
  let at = 0
  const peek = () => tokens[at]!
  const next = () => tokens[at++]!
  const isSign = (sign: string) => peek().kind === 'sign' && peek().text === sign
  const unexpected = ({ text: found, column }: Token, wanted: string) =>
    new EquationError(`expected ${wanted} at character ${column}, not ${found}`)
  const take = (sign: string) => {
    if (!isSign(sign)) throw unexpected(peek(), sign)
    at++
  }

  function field({ text: name, column }: Token): Equation {
    const index = /^\d+$/.test(name) && !fields.includes(name) ? Number(name) : indexOf(name)
    if (index < 0 || index >= fields.length)
      throw new EquationError(`${name} at character ${column} is not among the source fields`)
    return (numbers) => numbers[index]!
  }
  const indexOf = (name: string) => {
    const index = fields.indexOf(name)
    return index >= 0 ? index : fields.indexOf(`destination!${name}`)
  }

  function call({ text: name, column }: Token, depth: number): Equation {
    take('(')
    const given = [expression(0, depth)]
    while (isSign(',')) {
      at++
      given.push(expression(0, depth))
    }
    take(')')
    const { least, most, of } = FUNCTIONS[name]!
    if (given.length < least || given.length > most)
      throw new EquationError(
        `${name} at character ${column} takes ${least === most ? least : `${least} to ${most}`} numbers`,
      )
    return (numbers) => of(...given.map((one) => one(numbers)))
  }

  function operand(depth: number): Equation {
    const token = next()
    if (token.kind === 'number') {
      const value = Number(token.text)
      return () => value
    }
    if (token.kind === 'field') return field(token)
    if (token.kind === 'word')
      return isSign('(') && Object.hasOwn(FUNCTIONS, token.text) ? call(token, depth) : field(token)
    if (token.text === '(') {
      const inner = expression(0, depth)
      take(')')
      return inner
    }
    if (token.text === '-' || token.text === '+') {
      const of = expression(SIGN_POWER, depth)
      return token.text === '-' ? (numbers) => -of(numbers) : of
    }
    throw unexpected(token, 'a number, a field or a parenthesis')
  }

  function expression(power: number, depth: number): Equation {
    if (depth > DEPTH) throw new EquationError(`more than ${DEPTH} parentheses and signs stand in one another`)
    let left = operand(depth + 1)
    for (;;) {
      const operator = peek().kind === 'sign' ? OPERATORS[peek().text] : undefined
      if (!operator || operator.power <= power) return left
      at++
      // A power binds to the right.
      const right = expression(operator.power === 4 ? SIGN_POWER - 1 : operator.power, depth + 1)
      const first = left
      left = (numbers) => operator.of(first(numbers), right(numbers))
    }
  }

  const whole = expression(0, 0)
  if (peek().kind !== 'end') throw unexpected(peek(), 'an operator or the end')
  return whole
}
