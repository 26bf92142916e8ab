/** Hostile inputs take time in proportion to their size, wherever a stranger's text, pattern or file is read. */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { textReplacer } from '../../lib/core/find-text.ts'
import { parseJson } from '../../lib/core/json.ts'
import { kindOf } from '../../lib/files/sniff/kinds.ts'
import { beginningOfText } from '../../lib/files/sniff.ts'
import { conversionOf } from '../../lib/mapping/conversions.ts'
import { numberOf } from '../../lib/mapping/rules/cells.ts'
import { dateReader } from '../../lib/mapping/rules/dates.ts'
import { patternOf } from '../../lib/mapping/rules/pattern.ts'
import { suggest } from '../../lib/mapping/suggest.ts'
import { meaningOfValues, textsOf, typeFit } from '../../lib/mapping/values.ts'
import { compact, meaningfulWords } from '../../lib/mapping/words.ts'
import { cellTest } from '../../lib/records/read/ffql/compare.ts'
import { parseQuery } from '../../lib/records/read/ffql/parser.ts'
import type { Field } from '../../schemas/fields.ts'
import { expectLinear } from '../support/growth.ts'
import { readTables } from '../support/read-tables.ts'
import { workbookByHand } from '../support/xlsx-by-hand.ts'

const MB = 1024 * 1024
const filled = (piece: string) => (size: number) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)

describe('a query', () => {
  const fields = [{ key: 'a', label: 'A field' }]
  const quietly = (q: string) => {
    try {
      parseQuery(q, fields)
    } catch {
      // What is wrong with it takes time as well.
    }
  }
  it.each([
    ['a chain of or', 'a eq x or '],
    ['quotes', `a eq "x""x" or `],
    ['open quotes', `"a\\"`],
    ['parentheses', '('],
    ['not', 'not '],
    ['symbols', '<=>!='],
    ['words', 'a! '],
    ['blanks', '   \t'],
  ])('of %s', async (_, piece) => {
    await expectLinear(filled(piece), quietly, { from: 1000, most: 10_000 })
  })

  it.each([
    ['like', `%${'a'.repeat(9000)}b%`],
    ['like', `%b${'a'.repeat(9000)}%`],
    ['like', `%${'a'.repeat(998)}_b%`],
    ['like', `%${'a_'.repeat(400)}b%`],
    ['like', `${'%a'.repeat(400)}%b`],
    ['like', `${'%a_'.repeat(300)}%b`],
    ['ilike', `%${'a'.repeat(9000)}b%`],
    ['contains', `b${'a'.repeat(9000)}`],
    ['eq', 'a'.repeat(9000)],
  ] as const)('by %s %#, of values', async (operator, pattern) => {
    await expectLinear(filled('a'), cellTest(operator, 'string', pattern), { from: 20_000, most: 4 * MB })
  })

  it.each(['like', 'contains'] as const)('by %s, of values and patterns that grow together', async (operator) => {
    const patternOf = (size: number) => {
      const letters = 'a'.repeat(size / 20)
      // What the engine's own search finds hardest: the difference comes second.
      return operator === 'like' ? `%ab${letters}%` : `ab${letters}`
    }
    await expectLinear(
      (size) => ({ text: filled('a')(size), test: cellTest(operator, 'string', patternOf(size)) }),
      ({ text, test }) => test(text),
      { from: 100_000, most: 4 * MB },
    )
  })

  it('by like, of patterns with wildcards', async () => {
    const text = 'a'.repeat(100_000)
    await expectLinear(
      (length) => cellTest('like', 'string', `%_${filled('a_')(length)}b%`),
      (test) => test(text),
      { from: 500, most: 1000 },
    )
  })
})

describe('find and replace', () => {
  it.each([
    ['begins otherwise', (letters: string) => `ab${letters}`],
    ['ends otherwise', (letters: string) => `${letters}b`],
    ['is there', (letters: string) => letters],
  ])('of a text that %s, as long as a part of the values', async (_, findOf) => {
    await expectLinear(
      (size) => ({ text: filled('aA')(size), replace: textReplacer(findOf('a'.repeat(size / 20)), 'x') }),
      ({ text, replace }) => replace(text),
      { from: 100_000, most: 4 * MB },
    )
  })
  it('of a text found everywhere', async () => {
    await expectLinear(filled('aA'), textReplacer('a'.repeat(300), 'xx'), { from: 20_000, most: 4 * MB })
  })
})

describe('a rule of a mapping', () => {
  it.each(['(a+)+$', '(a|a)*b', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*a){12}b', 'x*x*x*x*x*x*y'])(
    'by %s',
    async (pattern) => {
      await expectLinear(filled('a'), patternOf(pattern), { from: 100_000, most: 800_000 })
    },
  )
  it.each(['1', ' 1', '1,', '-', '1e', '٣'])('of numbers like %s', async (piece) => {
    await expectLinear(filled(piece), (text) => numberOf(text, 'de'), { from: 2000, most: 64_000 })
  })
  it.each(['1', '1.', ' ', '2020-', 'Mai '])('of dates like %s', async (piece) => {
    const read = dateReader({ formats: ['d.M.yyyy', 'd LLLL yyyy'] })
    await expectLinear(filled(piece), read, { from: 2000, most: 128_000 })
  })
})

describe('suggestions of a mapping', () => {
  const pieces = ['ab', 'a ', 'aB', 'a1', '(', 'a/', '  ', '[a] ', 'ß', 'de ', 'ungen', '#', '1']
  it.each(pieces)('for labels of %s', async (piece) => {
    const side = (size: number, end: string) =>
      Array.from(
        { length: 4 },
        (_, i) => ({ key: `k${end}${i}`, type: 'string', label: filled(piece)(size) + end + i }) as Field,
      )
    await expectLinear(
      (size) => [side(size, 'x'), side(size, 'y')] as const,
      ([source, destination]) => suggest(source, destination),
      { from: 500, most: 16_000 },
    )
  })

  it.each(['-  ', 'a@', '.a', '1 ', '1.', '[', ';', 'x'])('from values of %s', async (piece) => {
    const field = { key: 'k', type: 'number' } as Field
    await expectLinear(
      (size) => [`-${filled(piece)(size)}@`, `a@${filled(piece)(size)}@`, filled(piece)(size)],
      (values) => {
        const texts = textsOf(values)
        for (const type of ['number', 'date', 'boolean'] as const) typeFit(texts, { ...field, type } as Field)
        meaningOfValues(texts)
        for (const type of ['number', 'date'] as const)
          conversionOf({ destinationField: { key: 'k', type }, sourceField: { key: 'k' } } as never, values)
      },
      { from: 2000, most: 4 * MB },
    )
  })

  it.each(pieces)('of words in %s', async (piece) => {
    await expectLinear(filled(piece), (name) => [meaningfulWords(name), compact(name)], { from: 2000, most: 128_000 })
  })

  it('of 500 by 500 fields with labels of 200 characters end', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
      return seed % below
    }
    const letters = (count: number) => Array.from({ length: count }, () => 'abcdefghij'[random(10)]).join('')
    const labels = [() => letters(200), () => Array.from({ length: 28 }, () => `abcd${letters(2)}`).join(' ')]
    for (const label of labels) {
      const side = () =>
        Array.from({ length: 500 }, (_, i) => ({ key: `f${i}`, type: 'string', label: label() }) as Field)
      const before = process.cpuUsage().user
      suggest(side(), side())
      expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(15)
    }
  }, 120_000)
})

describe('the beginning of a file', () => {
  const read = (text: string) => {
    try {
      beginningOfText(Buffer.from(text), { whole: false })
    } catch {
      // Refused, which takes time as well.
    }
  }
  it.each([
    ['open quotes', '"'],
    ['quotes and delimiters', '",'],
    ['single quotes', "'"],
    ['quoted cells', "'a',"],
    ['single quotes in lines', "'a\n"],
    ['delimiters', ',;|\t'],
    ['line ends', '\r\n'],
    ['carriage returns', '\r'],
    ['blanks', '  '],
    ['rare delimiters', '^~:'],
    ['quotes in lines', 'a"b\n"'],
    ['wide rows', 'a,b;c|'],
  ])('with %s', async (_, piece) => {
    await expectLinear(filled(piece), read, { from: 8000, most: 256 * 1024 })
  })

  it.each(['1', '1 ', '1.', '-', '$', ' ', 'a@', '1/', '٣', 'http://', '1:'])('with cells of %s', async (piece) => {
    await expectLinear(filled(piece), kindOf, { from: 2000, most: 256 * 1024 })
  })
})

describe('a file', () => {
  const through = (name: string) => async (bytes: Buffer) => {
    await readTables(name, bytes).catch(() => {})
  }
  it.each([
    ['odd quotes', 'a.csv', (size: number) => `a,b\n${filled('"x"y,"\n')(size)}`],
    ['an open quote', 'a.csv', (size: number) => `a,b\n"${filled('x,y\n')(size)}`],
    ['ragged rows', 'a.csv', (size: number) => `a,b\n${filled('1,2,3,4\n1\n')(size)}`],
    ['many objects', 'a.json', (size: number) => `[${filled('{"a":1},')(size)}{}]`],
    ['lists in lists', 'a.json', (size: number) => `[${filled('[[]],')(size)}[]]`],
    ['objects in objects', 'a.json', (size: number) => `[${filled('{"a":{"b":[1]}},')(size)}{}]`],
    ['a long text', 'a.json', (size: number) => `[{"a":"${filled('\\u0061')(size - (size % 6))}"}]`],
    ['open brackets', 'a.json', filled('[')],
    ['many elements', 'a.xml', (size: number) => `<r>${filled('<i><a>1</a></i>')(size - (size % 15))}</r>`],
    ['attributes', 'a.xml', (size: number) => `<r>${filled('<i a="1" b="2"/>')(size - (size % 16))}</r>`],
    ['entities', 'a.xml', (size: number) => `<r><i><a>${filled('&amp;')(size - (size % 5))}</a></i></r>`],
    ['comments', 'a.xml', (size: number) => `<r>${filled('<!-- - -->')(size - (size % 10))}<i><a>1</a></i></r>`],
    ['an open comment', 'a.xml', (size: number) => `<r><!--${filled('- ')(size)}`],
    ['open tags', 'a.xml', filled('<a ')],
    ['lines of JSON', 'a.jsonl', filled('{"a":1}\n')],
  ])('with %s (%s)', async (_, name, textOf) => {
    await expectLinear((size) => Buffer.from(textOf(size)), through(name), { from: 16_000, most: 2 * MB })
  })

  it.each([
    ['cells', (size: number) => '<row><c><v>1</v></c></row>'.repeat(size / 8)],
    ['blank rows', (size: number) => '<row/>'.repeat(size)],
    ['wide rows', (size: number) => `<row>${'<c t="str"><v>x</v></c>'.repeat(400)}</row>`.repeat(size / 1000)],
  ])('that is a workbook with %s', async (_, dataOf) => {
    const bookOf = (size: number) => workbookByHand({ sheets: [{ name: 'S', data: dataOf(size) }], stored: true })
    await expectLinear(bookOf, through('a.xlsx'), { from: 8000, most: 128_000 })
  })

  it('that is a workbook with many sheets of the same part is refused before one is read', async () => {
    const sheets = '<sheet name="S" sheetId="1" r:id="rId1"/>'
    const bookOf = (size: number) =>
      workbookByHand({
        sheets: [{ name: 'S', data: '<row><c><v>1</v></c></row>' }],
        stored: true,
        parts: { 'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheets.repeat(size)}</sheets></workbook>` },
      })
    await expect(readTables('a.xlsx', bookOf(2))).rejects.toThrow('are the same part of it')
    await expect(readTables('a.xlsx', bookOf(60_000))).rejects.toThrow('more than 1000 sheets')
    await expectLinear(bookOf, through('a.xlsx'), { from: 1000, most: 60_000 })
  })

  it('that is a workbook with more than 40 sheets is read up to the 41st', async () => {
    const data = '<row><c><v>1</v></c></row>'
    const bookOf = (count: number) =>
      workbookByHand({ sheets: Array.from({ length: count }, (_, i) => ({ name: `S${i}`, data })) })
    expect(await readTables('a.xlsx', bookOf(40))).toHaveLength(40)
    await expect(readTables('a.xlsx', bookOf(41))).rejects.toThrow('more than 40 sheets with anything in them')
  })

  it('packed by gzip', async () => {
    const textOf = (size: number) =>
      gzipSync(Array.from({ length: size / 16 }, (_, i) => `${i * 7919},${i}\n`).join(''))
    await expectLinear(textOf, through('a.csv.gz'), { from: 16_000, most: 2 * MB })
  })
})

describe('a JSON body', () => {
  const quietly = (bytes: Buffer) => {
    try {
      parseJson(bytes)
    } catch {
      // Refused, which takes time as well.
    }
  }
  it.each([
    ['lists', (size: number) => `[${filled('[],')(size - (size % 3))}[]]`],
    ['objects', (size: number) => `[${filled('{"a":1},')(size - (size % 8))}{}]`],
    ['keys', (size: number) => `{${Array.from({ length: size / 10 }, (_, i) => `"k${i}":1`).join(',')}}`],
    ['numbers', (size: number) => `[${filled('1,')(size - (size % 2))}1]`],
    ['a long number', (size: number) => `[${filled('9')(size)}]`],
    ['an escaped text', (size: number) => `"${filled('\\u0061')(size - (size % 6))}"`],
    ['open lists', filled('[')],
    ['open texts', filled('"\\"')],
  ])('of %s', async (name, textOf) => {
    // The hash table of a larger object leaves the processor's cache.
    const most = name === 'keys' ? 125_000 : 500_000
    await expectLinear((size) => Buffer.from(textOf(size)), quietly, { from: 30_000, most })
  })
})
