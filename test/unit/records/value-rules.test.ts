import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { compileBytePattern, isAsciiEmail } from '../../../lib/records/fields/byte-patterns.ts'
import { compilePattern, loadEngines } from '../../../lib/records/fields/engines.ts'
import { rulesOf, validateCell } from '../../../lib/records/fields/rules.ts'
import { countCharacters, isEmail, isUrl, isUuid } from '../../../lib/records/fields/text-forms.ts'

beforeAll(() => loadEngines(new Set(['patterns', 'phones'])))

const passes = (type: string, config: object, value: unknown, fieldType = 'string'): boolean => {
  const field = { key: 'f', type: fieldType, constraints: [{ type, config }] }
  return validateCell(rulesOf({ sheetId: 'us_sh_rules', fields: [field] }).fields[0]!, value).length === 0
}

describe('an email address', () => {
  const part = fc.string({ unit: fc.constantFrom(...'a9é-._@+ '), maxLength: 6 })
  const isLabel = (label: string): boolean => /^[a-z9é-]{1,63}$/.test(label) && !/^-|-$/.test(label)
  function isNaiveEmail(text: string): boolean {
    const parts = text.split('@')
    if (parts.length !== 2) return false
    const [local, domain] = parts as [string, string]
    const labels = domain.split('.')
    return (
      local.split('.').every((atom) => /^[a-z9é_+-]+$/.test(atom)) &&
      local.length <= 64 &&
      labels.length > 1 &&
      labels.every(isLabel)
    )
  }

  it('is found by its parts', () => {
    fc.assert(
      fc.property(part, part, (local, domain) => {
        for (const text of [`${local}@${domain}`, `${local}@${domain}.aa`, `${local}${domain}`])
          expect(isEmail(text), text).toBe(isNaiveEmail(text))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['ada@example.com', true],
    ['Ada.Lovelace+x@mail.example.co.uk', true],
    ['jürgen@müller.de', true],
    [`${'a'.repeat(64)}@example.com`, true],
    [`${'a'.repeat(65)}@example.com`, false],
    ['ada@localhost', false],
    ['ada@example..com', false],
    ['Ada <ada@example.com>', false],
    [`${'a.'.repeat(50_000)}@`, false],
  ])('(%s) is one: %s', (text, isOne) => expect(isEmail(text)).toBe(isOne))
})

describe('a check of bytes', () => {
  const check = (accepts: (bytes: Uint8Array, from: number, to: number) => boolean, text: string): boolean => {
    const bytes = Buffer.from(`a${text}a`)
    return accepts(bytes, 1, bytes.length - 1)
  }

  it('accepts an address only if its text is one, and every ASCII address', () => {
    const part = fc.string({ unit: fc.constantFrom(...'aZ9é-._@+ !'), maxLength: 6 })
    fc.assert(
      fc.property(part, part, (local, domain) => {
        for (const text of [`${local}@${domain}`, `${local}@${domain}.aa`, `${'a'.repeat(60)}${local}@a.${domain}`]) {
          const isAscii = [...text].every((character) => character < '\x80')
          expect(check(isAsciiEmail, text), text).toBe(isAscii && isEmail(text))
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('accepts a text only if its pattern matches, and all texts of the usual patterns', () => {
    const unit = fc.constantFrom('a', 'B', '7', '-', ' ', '\\d', '\\w', '[A-Z]', '[0-9a]', '[-a]', '[a-]')
    const count = fc.constantFrom('', '', '+', '*', '?', '{2}', '{1,2}', '{2,}', '{3,1}')
    const pattern = fc.array(fc.tuple(unit, count), { maxLength: 4 }).map((parts) => `^${parts.flat().join('')}$`)
    const text = fc.string({ unit: fc.constantFrom(...'aB7- é'), maxLength: 6 })
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 20, maxLength: 20 }), (source, texts) => {
        const accepts = compileBytePattern(source)!
        for (const one of texts)
          if (check(accepts, one)) expect(compilePattern(source, false).test(one), `${source} ${one}`).toBe(true)
      }),
      { numRuns: 500 },
    )
    for (const [source, one] of [
      ['^C\\d{9}$', 'C001000003'],
      ['^[A-Z]{2}\\d+$', 'AB7'],
      ['^\\d{5}(?:-\\d{4})?$', undefined],
      ['^[^ ]*$', undefined],
      ['^a|b$', undefined],
      ['a$', undefined],
    ] as const) {
      const accepts = compileBytePattern(source)
      expect(accepts !== undefined && one !== undefined && check(accepts, one), source).toBe(one !== undefined)
    }
  })
})

describe('a web address and a UUID', () => {
  it.each([
    ['https://example.com', true],
    ['HTTP://example.com:8080/a?b#c', true],
    ['https://münchen.de/ä', true],
    ['example.com', false],
    ['https:example.com', false],
    ['https://', false],
    ['https://a b.com', false],
    ['ftp://example.com', false],
    ['javascript:alert(1)', false],
    [' https://example.com', false],
  ])('(%s) is a web address: %s', (text, isOne) => expect(isUrl(text)).toBe(isOne))

  it('have their exact forms', () => {
    fc.assert(fc.property(fc.uuid(), (uuid) => isUuid(uuid) && isUuid(uuid.toUpperCase())))
    for (const text of ['0123456789abcdef0123456789abcdef', '{01234567-89ab-cdef-0123-456789abcdef}', ''])
      expect(isUuid(text)).toBe(false)
  })
})

describe('a length', () => {
  it('counts code points', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00') }),
        fc.nat(9),
        (text, limit) => {
          const length = Array.from(text).length
          expect(countCharacters(text)).toBe(length)
          if (text === '') return
          expect(passes('length', { min: limit }, text)).toBe(length >= limit)
          expect(passes('length', { max: limit }, text)).toBe(length <= limit)
        },
      ),
    )
  })

  it('applies to each value of a list', () => {
    expect(passes('length', { max: 2 }, ['ab', 'c'], 'string-list')).toBe(true)
    expect(passes('length', { max: 2 }, ['ab', 'cde'], 'string-list')).toBe(false)
  })
})

describe('a pattern', () => {
  it('matches like RE2, anywhere, with flags and alternatives', () => {
    for (const [pattern, text, ignoreCase, isMatch] of [
      ['b+', 'abc', false, true],
      ['^b', 'abc', false, false],
      ['^a|c$', 'xc', false, true],
      ['^a|c$', 'xcx', false, false],
      ['^ABC$', 'abc', true, true],
      ['(?i)^ABC$', 'abc', false, true],
      ['^.$', '😀', false, true],
      ['^\\pL+$', 'Grüße', false, true],
      ['^a$', 'a\nb', false, false],
      ['a', 'b\na', false, true],
    ] as const)
      expect(compilePattern(pattern, ignoreCase).test(text), `${pattern} in ${text}`).toBe(isMatch)
  })

  it('takes time linear in the text, whatever the pattern', () => {
    const test = (length: number): number => {
      const { test: matches } = compilePattern('^(a+)+(a|aa)*(?:a*)*$', false)
      const text = `${'a'.repeat(length)}!`
      const start = performance.now()
      expect(matches(text)).toBe(false)
      return performance.now() - start
    }
    test(100)
    expect(test(10_000)).toBeLessThan(2000)
  })

  it('does not match longer texts than it may', () => {
    expect(passes('pattern', { pattern: 'a' }, 'a'.repeat(10_000))).toBe(true)
    expect(passes('pattern', { pattern: 'a' }, 'a'.repeat(10_001))).toBe(false)
  })

  it('matches nothing if it is stored but invalid', () => {
    expect(passes('pattern', { pattern: '(' }, 'a')).toBe(false)
  })
})

describe('a phone number', () => {
  it.each([
    ['+49 30 123456', undefined, true],
    ['030 123456', 'DE', true],
    ['030 123456', undefined, false],
    ['(212) 555-0123', 'US', true],
    ['+44 20 7946 0958', 'US', true],
    ['12', 'US', false],
    ['call +49 30 123456', undefined, false],
    ['+49 30 123456, please', undefined, false],
  ])('(%s in %s) is valid: %s', (text, country, isValid) => expect(passes('phone', { country }, text)).toBe(isValid))
})

describe('a range', () => {
  const bound = fc.integer({ min: -3, max: 3 })
  it('includes or excludes its bounds', () => {
    fc.assert(
      fc.property(bound, bound, bound, (value, lower, upper) => {
        expect(passes('range', { gte: lower, lt: upper }, value, 'number')).toBe(value >= lower && value < upper)
        expect(passes('range', { gt: lower, lte: upper }, value, 'number')).toBe(value > lower && value <= upper)
        const [day, from, to] = [value, lower, upper].map((offset) => `2024-01-${15 + offset}`) as [
          string,
          string,
          string,
        ]
        expect(passes('range', { gte: from, lt: to }, day, 'date')).toBe(value >= lower && value < upper)
        expect(passes('range', { gt: from, lte: to }, day, 'date')).toBe(value > lower && value <= upper)
      }),
    )
  })
})
