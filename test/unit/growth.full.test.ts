/** Hostile inputs take linear time wherever external text, patterns or files are read. */
import { gzipSync } from 'node:zlib'
import { distance } from 'fastest-levenshtein'
import { describe, expect, it } from 'vitest'
import { createTextReplacer } from '../../lib/core/find-text.ts'
import { parseJson } from '../../lib/core/json.ts'
import { detectKind } from '../../lib/files/sniff/kinds.ts'
import { sniffWithRows } from '../../lib/files/sniff.ts'
import { suggestConversion } from '../../lib/mapping/conversions.ts'
import { detectShapes } from '../../lib/mapping/evidence.ts'
import { parseNumber } from '../../lib/mapping/rules/cells.ts'
import { createDateParser } from '../../lib/mapping/rules/dates.ts'
import { createExtractor } from '../../lib/mapping/rules/pattern.ts'
import { suggest } from '../../lib/mapping/suggest.ts'
import { compact } from '../../lib/mapping/tokenize.ts'
import { measureTypeFit, toSampleTexts } from '../../lib/mapping/values.ts'
import { getMeaningfulWords } from '../../lib/mapping/vocabulary.ts'
import { createCellTest } from '../../lib/records/fields/ffql/compare.ts'
import { parseQuery } from '../../lib/records/fields/ffql/parser.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { expectLinear } from '../support/growth.ts'
import { readTables } from '../support/read-tables.ts'
import { buildWorkbookByHand } from '../support/xlsx-by-hand.ts'

const MB = 1024 * 1024
/** Measurements were 0.7 to 1.4 of the CPU time of the edit distances of all labels. */
const MOST_OF_EDIT_DISTANCES = 2.5

function measureCpu(work: () => void): number {
  const before = process.cpuUsage().user
  work()
  return process.cpuUsage().user - before
}

const repeatTo = (piece: string) => (size: number) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)

describe('query', () => {
  const fields = [{ key: 'a', label: 'A field' }]
  const ignoringErrors = (q: string) => {
    try {
      parseQuery(q, fields)
    } catch {}
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
  ])('parses %s in linear time', async (_, piece) => {
    await expectLinear(repeatTo(piece), ignoringErrors, { from: 1000, most: 10_000 })
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
  ] as const)('matches %s %# in linear time', async (operator, pattern) => {
    await expectLinear(repeatTo('a'), createCellTest(operator, 'string', pattern), { from: 20_000, most: 4 * MB })
  })

  it.each(['like', 'contains'] as const)(
    'matches %s in linear time when values and patterns grow together',
    async (operator) => {
      const createPattern = (size: number) => {
        const randomLetters = 'a'.repeat(size / 20)
        return operator === 'like' ? `%ab${randomLetters}%` : `ab${randomLetters}`
      }
      await expectLinear(
        (size) => ({ text: repeatTo('a')(size), test: createCellTest(operator, 'string', createPattern(size)) }),
        ({ text, test }) => test(text),
        { from: 100_000, most: 4 * MB },
      )
    },
  )

  it('matches like patterns with wildcards in linear time', async () => {
    const text = 'a'.repeat(100_000)
    await expectLinear(
      (length) => createCellTest('like', 'string', `%_${repeatTo('a_')(length)}b%`),
      (test) => test(text),
      { from: 500, most: 1000 },
    )
  })
})

describe('find and replace', () => {
  it.each([
    ['begins otherwise', (randomLetters: string) => `ab${randomLetters}`],
    ['ends otherwise', (randomLetters: string) => `${randomLetters}b`],
    ['is there', (randomLetters: string) => randomLetters],
  ])('takes linear time for a long search text that %s', async (_, findOf) => {
    await expectLinear(
      (size) => ({ text: repeatTo('aA')(size), replace: createTextReplacer(findOf('a'.repeat(size / 20)), 'x') }),
      ({ text, replace }) => replace(text),
      { from: 100_000, most: 4 * MB },
    )
  })
  it('takes linear time for a text found everywhere', async () => {
    await expectLinear(repeatTo('aA'), createTextReplacer('a'.repeat(300), 'xx'), { from: 20_000, most: 4 * MB })
  })
})

describe('mapping rule', () => {
  it.each(['(a+)+$', '(a|a)*b', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*a){12}b', 'x*x*x*x*x*x*y'])(
    'evaluates %s in linear time',
    async (pattern) => {
      await expectLinear(repeatTo('a'), createExtractor(pattern), { from: 100_000, most: 800_000 })
    },
  )
  it.each(['1', ' 1', '1,', '-', '1e', '٣'])('parses numbers like %s in linear time', async (piece) => {
    await expectLinear(repeatTo(piece), (text) => parseNumber(text, 'de'), { from: 2000, most: 64_000 })
  })
  it.each(['1', '1.', ' ', '2020-', 'Mai '])('parses dates like %s in linear time', async (piece) => {
    const sniffIgnoringErrors = createDateParser({ formats: ['d.M.yyyy', 'd LLLL yyyy'] })
    await expectLinear(repeatTo(piece), sniffIgnoringErrors, { from: 2000, most: 128_000 })
  })
})

describe('mapping suggestions', () => {
  const pieces = ['ab', 'a ', 'aB', 'a1', '(', 'a/', '  ', '[a] ', 'ß', 'de ', 'ungen', '#', '1']
  it.each(pieces)('take linear time for labels of %s', async (piece) => {
    const createFields = (size: number, end: string) =>
      Array.from(
        { length: 4 },
        (_, i) => ({ key: `k${end}${i}`, type: 'string', label: repeatTo(piece)(size) + end + i }) as Field,
      )
    await expectLinear(
      (size) => [createFields(size, 'x'), createFields(size, 'y')] as const,
      ([source, destination]) => suggest(source, destination),
      { from: 500, most: 16_000 },
    )
  })

  it.each(['-  ', 'a@', '.a', '1 ', '1.', '[', ';', 'x'])('take linear time for values of %s', async (piece) => {
    const field = { key: 'k', type: 'number' } as Field
    await expectLinear(
      (size) => [`-${repeatTo(piece)(size)}@`, `a@${repeatTo(piece)(size)}@`, repeatTo(piece)(size)],
      (values) => {
        const texts = toSampleTexts(values)
        for (const type of ['number', 'date', 'boolean'] as const) measureTypeFit(texts, { ...field, type } as Field)
        detectShapes(texts)
        for (const type of ['number', 'date'] as const)
          suggestConversion({ destinationField: { key: 'k', type }, sourceField: { key: 'k' } } as never, values, 2026)
      },
      { from: 2000, most: 4 * MB },
    )
  })

  it.each(pieces)('tokenize names of %s in linear time', async (piece) => {
    await expectLinear(repeatTo(piece), (name) => [getMeaningfulWords(name), compact(name)], {
      from: 2000,
      most: 128_000,
    })
  })

  it('complete for 500 by 500 fields with labels of 200 characters', () => {
    let seed = 7
    const randomBelow = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
      return seed % below
    }
    const randomLetters = (count: number) => Array.from({ length: count }, () => 'abcdefghij'[randomBelow(10)]).join('')
    const labels = [
      () => randomLetters(200),
      () => Array.from({ length: 28 }, () => `abcd${randomLetters(2)}`).join(' '),
    ]
    for (const label of labels) {
      const createFields = () =>
        Array.from({ length: 500 }, (_, i) => ({ key: `f${i}`, type: 'string', label: label() }) as Field)
      const [sources, destinations] = [createFields(), createFields()]
      const reference = measureCpu(() => {
        for (const { label } of sources) for (const other of destinations) distance(label!, other.label!)
      })
      const suggesting = measureCpu(() => suggest(sources, destinations))
      expect(suggesting / reference).toBeLessThan(MOST_OF_EDIT_DISTANCES)
    }
  }, 120_000)
})

describe('file sniffing', () => {
  const sniffIgnoringErrors = (text: string) => {
    try {
      sniffWithRows(Buffer.from(text), { isComplete: false })
    } catch {}
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
  ])('takes linear time with %s', async (_, piece) => {
    await expectLinear(repeatTo(piece), sniffIgnoringErrors, { from: 8000, most: 256 * 1024 })
  })

  it.each(['1', '1 ', '1.', '-', '$', ' ', 'a@', '1/', '٣', 'http://', '1:'])(
    'takes linear time for cells of %s',
    async (piece) => {
      await expectLinear(repeatTo(piece), detectKind, { from: 2000, most: 256 * 1024 })
    },
  )
})

describe('file reading', () => {
  const readIgnoringErrors = (name: string) => async (bytes: Buffer) => {
    await readTables(name, bytes).catch(() => {})
  }
  it.each([
    ['odd quotes', 'a.csv', (size: number) => `a,b\n${repeatTo('"x"y,"\n')(size)}`],
    ['an open quote', 'a.csv', (size: number) => `a,b\n"${repeatTo('x,y\n')(size)}`],
    ['ragged rows', 'a.csv', (size: number) => `a,b\n${repeatTo('1,2,3,4\n1\n')(size)}`],
    ['many objects', 'a.json', (size: number) => `[${repeatTo('{"a":1},')(size)}{}]`],
    ['lists in lists', 'a.json', (size: number) => `[${repeatTo('[[]],')(size)}[]]`],
    ['objects in objects', 'a.json', (size: number) => `[${repeatTo('{"a":{"b":[1]}},')(size)}{}]`],
    ['a long text', 'a.json', (size: number) => `[{"a":"${repeatTo('\\u0061')(size - (size % 6))}"}]`],
    ['open brackets', 'a.json', repeatTo('[')],
    ['many elements', 'a.xml', (size: number) => `<r>${repeatTo('<i><a>1</a></i>')(size - (size % 15))}</r>`],
    ['attributes', 'a.xml', (size: number) => `<r>${repeatTo('<i a="1" b="2"/>')(size - (size % 16))}</r>`],
    ['entities', 'a.xml', (size: number) => `<r><i><a>${repeatTo('&amp;')(size - (size % 5))}</a></i></r>`],
    ['comments', 'a.xml', (size: number) => `<r>${repeatTo('<!-- - -->')(size - (size % 10))}<i><a>1</a></i></r>`],
    ['an open comment', 'a.xml', (size: number) => `<r><!--${repeatTo('- ')(size)}`],
    ['open tags', 'a.xml', repeatTo('<a ')],
    ['lines of JSON', 'a.jsonl', repeatTo('{"a":1}\n')],
  ])('takes linear time with %s (%s)', async (_, name, createText) => {
    await expectLinear((size) => Buffer.from(createText(size)), readIgnoringErrors(name), {
      from: 16_000,
      most: 2 * MB,
    })
  })

  it.each([
    ['cells', (size: number) => '<row><c><v>1</v></c></row>'.repeat(size / 8)],
    ['blank rows', (size: number) => '<row/>'.repeat(size)],
    ['wide rows', (size: number) => `<row>${'<c t="str"><v>x</v></c>'.repeat(400)}</row>`.repeat(size / 1000)],
  ])('takes linear time for a workbook with %s', async (_, dataOf) => {
    const createWorkbook = (size: number) =>
      buildWorkbookByHand({ sheets: [{ name: 'S', data: dataOf(size) }], stored: true })
    await expectLinear(createWorkbook, readIgnoringErrors('a.xlsx'), { from: 8000, most: 128_000 })
  })

  it('rejects a workbook with many sheets of the same part before reading one', async () => {
    const sheets = '<sheet name="S" sheetId="1" r:id="rId1"/>'
    const createWorkbook = (size: number) =>
      buildWorkbookByHand({
        sheets: [{ name: 'S', data: '<row><c><v>1</v></c></row>' }],
        stored: true,
        parts: { 'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheets.repeat(size)}</sheets></workbook>` },
      })
    await expect(readTables('a.xlsx', createWorkbook(2))).rejects.toThrow('shares its content with another sheet')
    await expect(readTables('a.xlsx', createWorkbook(60_000))).rejects.toThrow('more than 1,000 sheets')
    await expectLinear(createWorkbook, readIgnoringErrors('a.xlsx'), { from: 1000, most: 60_000 })
  })

  it('reads a workbook with more than 40 sheets up to the 41st', async () => {
    const data = '<row><c><v>1</v></c></row>'
    const createWorkbook = (count: number) =>
      buildWorkbookByHand({ sheets: Array.from({ length: count }, (_, i) => ({ name: `S${i}`, data })) })
    expect(await readTables('a.xlsx', createWorkbook(40))).toHaveLength(40)
    await expect(readTables('a.xlsx', createWorkbook(41))).rejects.toThrow('more than 40 sheets with data')
  })

  it('takes linear time for a gzip file', async () => {
    const createText = (size: number) =>
      gzipSync(Array.from({ length: size / 16 }, (_, i) => `${i * 7919},${i}\n`).join(''))
    await expectLinear(createText, readIgnoringErrors('a.csv.gz'), { from: 16_000, most: 2 * MB })
  })
})

describe('JSON body', () => {
  const ignoringErrors = (bytes: Buffer) => {
    try {
      parseJson(bytes)
    } catch {}
  }
  it.each([
    ['lists', (size: number) => `[${repeatTo('[],')(size - (size % 3))}[]]`],
    ['objects', (size: number) => `[${repeatTo('{"a":1},')(size - (size % 8))}{}]`],
    ['keys', (size: number) => `{${Array.from({ length: size / 10 }, (_, i) => `"k${i}":1`).join(',')}}`],
    ['numbers', (size: number) => `[${repeatTo('1,')(size - (size % 2))}1]`],
    ['a long number', (size: number) => `[${repeatTo('9')(size)}]`],
    ['an escaped text', (size: number) => `"${repeatTo('\\u0061')(size - (size % 6))}"`],
    ['open lists', repeatTo('[')],
    ['open texts', repeatTo('"\\"')],
  ])('takes linear time for %s', async (name, createText) => {
    const most = name === 'keys' ? 125_000 : 500_000
    await expectLinear((size) => Buffer.from(createText(size)), ignoringErrors, { from: 30_000, most })
  })
})
