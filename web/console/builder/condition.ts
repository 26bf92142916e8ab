export const COMPARISONS = ['eq', 'ne', 'contains', 'gt', 'gte', 'lt', 'lte', 'empty', 'filled'] as const
export type Comparison = (typeof COMPARISONS)[number]

export interface Test {
  field: string
  comparison: Comparison
  value: string
}

export const needsValue = (comparison: Comparison): boolean => comparison !== 'empty' && comparison !== 'filled'

const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

export const formatCondition = (tests: readonly Test[]): string =>
  tests
    .map(({ field, comparison, value }) => {
      if (comparison === 'empty') return `${quote(field)} is empty`
      if (comparison === 'filled') return `${quote(field)} is not empty`
      return `${quote(field)} ${comparison} ${quote(value)}`
    })
    .join(' and ')

const TOKEN = /"((?:[^"\\]|\\.)*)"|([^\s"()]+)/g

interface Token {
  text: string
  isQuoted: boolean
}

function tokenize(query: string): Token[] | undefined {
  const tokens: Token[] = []
  const rest = query.replace(TOKEN, (_, quoted: string | undefined, word: string | undefined) => {
    tokens.push({ text: word ?? quoted!.replace(/\\(.)/g, '$1'), isQuoted: word === undefined })
    return ''
  })
  return rest.trim() === '' ? tokens : undefined
}

export function parseCondition(query: string): Test[] | undefined {
  const tokens = tokenize(query)
  const tests: Test[] = []
  for (let at = 0; tokens && at < tokens.length; ) {
    if (tests.length > 0 && !isWord(tokens[at++], 'and')) return undefined
    const found = parseTest(tokens.slice(at, at + 4))
    if (!found) return undefined
    tests.push(found.test)
    at += found.length
  }
  return tokens ? tests : undefined
}

const isWord = (token: Token | undefined, word: string): boolean =>
  token !== undefined && !token.isQuoted && token.text.toLowerCase() === word

function parseTest([field, operator, third, fourth]: Token[]): { test: Test; length: number } | undefined {
  if (!field || !operator || !third) return undefined
  const [name, comparison] = [field.text, operator.text.toLowerCase()]
  if (isWord(operator, 'is')) {
    if (isWord(third, 'empty')) return { test: { field: name, comparison: 'empty', value: '' }, length: 3 }
    return isWord(third, 'not') && isWord(fourth, 'empty')
      ? { test: { field: name, comparison: 'filled', value: '' }, length: 4 }
      : undefined
  }
  const known = COMPARISONS.find((one) => one === comparison && needsValue(one))
  return known && { test: { field: name, comparison: known, value: third.text }, length: 3 }
}
