import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTranslator } from '../../../lib/mapping/apply.ts'
import { assign } from '../../../lib/mapping/assign.ts'
import { decideReading, suggestConversion } from '../../../lib/mapping/conversions.ts'
import { suggestBooleans, suggestValues } from '../../../lib/mapping/enums.ts'
import { detectDelimiter, splitItems } from '../../../lib/mapping/lists.ts'
import { createReader } from '../../../lib/mapping/rules/read.ts'
import { LANGUAGES } from '../../../lib/values/languages.ts'
import { noteUnread } from '../../../lib/values/read-cell.ts'
import { Edge, type EnumValue } from '../../../schemas/programs/plan.ts'
import type { Reading } from '../../../schemas/programs/readings.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

const createOptionsField = (
  ...values: (string | { value: string; label?: string; alternativeNames?: string[] })[]
): Field =>
  Field.parse({
    key: 'f',
    type: 'enum',
    config: { options: values.map((value) => (typeof value === 'string' ? { value } : value)) },
  })

const translate = (values: EnumValue[], destination: Field) =>
  Object.fromEntries(
    suggestValues(values, destination)!.mapping.map(({ sourceValue, destinationValue }) => [
      String(sourceValue),
      destinationValue,
    ]),
  )

describe('values of an enum field', () => {
  it('match by value, label and alternative name, ignoring case and accents', () => {
    const field = createOptionsField(
      { value: 'de', label: 'Deutschland' },
      { value: 'cafe', alternativeNames: ['Kaffeehaus'] },
    )
    expect(translate(['DEUTSCHLAND', 'Café', 'kaffeehaus'], field)).toEqual({
      DEUTSCHLAND: 'de',
      Café: 'cafe',
      kaffeehaus: 'cafe',
    })
  })

  it('match like another text of the same letters', () => {
    const sources = createOptionsField('referral', 'event')
    expect(translate(['Ref.', 'ref', 'Event'], sources)).toEqual({
      'Ref.': 'referral',
      ref: 'referral',
      Event: 'event',
    })
    expect(translate(['ref', 'Event'], sources)).toEqual({ Event: 'event' })
  })

  it('match common synonyms', () => {
    expect(translate(['M', 'f', 'Herr', 'w'], createOptionsField('male', 'female'))).toEqual({
      M: 'male',
      f: 'female',
      Herr: 'male',
      w: 'female',
    })
    expect(translate(['Strom?', 'Strom'], createOptionsField('electricity'))).toEqual({ Strom: 'electricity' })
    expect(translate(['T0', 'Apart.'], createOptionsField('apartment', 'studio', 'house'))).toEqual({
      T0: 'studio',
      'Apart.': 'apartment',
    })
    expect(translate(['R&D', 'Mktg'], createOptionsField('Research & Development', 'Marketing'))).toEqual({
      'R&D': 'Research & Development',
      Mktg: 'Marketing',
    })
    expect(translate(['C$', 'CAD', 'US$'], createOptionsField('CAD', 'USD', 'EUR'))).toEqual({
      C$: 'CAD',
      CAD: 'CAD',
      US$: 'USD',
    })
    expect(translate(['matig', 'redelijk'], createOptionsField('fair', 'moderate'))).toEqual({
      matig: 'moderate',
      redelijk: 'fair',
    })
  })

  it('match words of the vocabulary, but not if a letter or a cut word can be another option', () => {
    expect(translate(['Produção', 'Betonarbeiten'], createOptionsField('production', 'concrete', 'sales'))).toEqual({
      ...{ Produção: 'production', Betonarbeiten: 'concrete' },
    })
    expect(translate(['veg.', 'vegetarisch'], createOptionsField('vegetarian', 'vegan'))).toEqual({
      vegetarisch: 'vegetarian',
    })
  })

  it('match cut names of languages and countries, if no other option begins so', () => {
    const languages = createOptionsField({ value: 'it', label: 'Italian' }, { value: 'en', label: 'English' }, 'de')
    expect(translate(['ingl.', 'ted.', 'It.'], languages)).toEqual({ 'ingl.': 'en', 'ted.': 'de', 'It.': 'it' })
    expect(translate(['Isl.', 'Niederl.'], createOptionsField('IS', 'IE', 'NL', 'FK', 'FO'))).toEqual({
      'Niederl.': 'NL',
    })
  })

  it('match letters of genders that occur together, and no others', () => {
    const field = createOptionsField({ value: 'boy' }, { value: 'girl' })
    const translateGenders = (...letters: string[]) => translate(letters, createOptionsField('male', 'female'))
    expect(translateGenders('J', 'M')).toEqual({ J: 'male', M: 'female' })
    expect(translateGenders('G', 'F')).toEqual({ G: 'male', F: 'female' })
    expect(translateGenders('C', 'D')).toEqual({ C: 'male', D: 'female' })
    expect(translateGenders('K', 'M', 'X')).toEqual({ K: 'female', M: 'male' })
    expect(translateGenders('M', 'Q')).toEqual({})
    expect(translateGenders('M', 'H', 'macho', 'hembra')).toMatchObject({ M: 'male', H: 'female' })
    expect(translateGenders('M', 'H', 'hombre', 'mujer')).toMatchObject({ M: 'female', H: 'male' })
    const coded = createOptionsField({ value: 'm', label: 'Mujer' }, { value: 'h', label: 'Hombre' })
    expect(translate(['M', 'H', 'Mujer'], coded)).toEqual({ M: 'm', H: 'h', Mujer: 'm' })
    expect(suggestValues(['M', 'V'], coded, undefined, 'Sexo')!.mapping).toMatchObject([
      { sourceValue: 'M', destinationValue: 'm' },
      { sourceValue: 'V', destinationValue: 'h' },
    ])
    expect(translate(['J', 'M', 'J'], field)).toEqual({ J: 'boy', M: 'girl' })
  })

  it('match parts of labels, cut words, and words that start with K for C', () => {
    const field = createOptionsField(
      { value: 'ev', label: 'evangelisch (ev.)' },
      { value: 'rk', label: 'römisch-katholisch (rk)' },
      { value: 'none', label: 'ohne / keine' },
      { value: 'clay', label: 'Keramiek' },
    )
    expect(translate(['evangelisch', 'evang.', 'röm.-kath.', 'keine', 'Ceramiek', 'rom'], field)).toEqual({
      ...{ evangelisch: 'ev', 'evang.': 'ev', 'röm.-kath.': 'rk', keine: 'none', Ceramiek: 'clay' },
    })
    expect(translate(['yes'], createOptionsField('Yes (partly)', 'Yes'))).toEqual({ yes: 'Yes' })
    expect(translate(['0 RhD+', 'B RhD-'], createOptionsField('0+', '0-', 'B-'))).toEqual({
      ...{ '0 RhD+': '0+', 'B RhD-': 'B-' },
    })
  })

  it('match without a number in front, an addition in brackets and small words', () => {
    const field = createOptionsField('identified', 'vip', { value: 'survey', label: 'En peritación' }, '2. Open')
    expect(
      translate(['1 - Identified', 'VIP (meet & greet)', 'Peritación', '2. Open', '3. Open', '12'], field),
    ).toEqual({
      ...{ '1 - Identified': 'identified', 'VIP (meet & greet)': 'vip', Peritación: 'survey', '2. Open': '2. Open' },
    })
  })

  it('match as beginnings and contractions, also of words in other languages', () => {
    const field = createOptionsField('validated', 'rejected', 'completed', { value: 'open', label: 'Abierto' })
    expect(translate(['VAL', 'REJ', 'afger.', 'abto.', 'COM', 'XY.', 'R'], field)).toEqual({
      ...{ VAL: 'validated', REJ: 'rejected', 'afger.': 'completed', 'abto.': 'open', COM: 'completed' },
    })
    expect(translate(['RE', 'REJ.', 'RES'], createOptionsField('rejected', 'reserved', 'resolved'))).toEqual({
      'REJ.': 'rejected',
    })
  })

  it('are forms of address, letters of countries, and sides next to each other', () => {
    expect(translate(['Fr.', 'Hr.'], createOptionsField('mr', 'ms'))).toEqual({ 'Fr.': 'ms', 'Hr.': 'mr' })
    const countries = createOptionsField({ value: 'DE', label: 'Germany' }, { value: 'AT', label: 'Austria' })
    expect(translate(['D', 'A', 'F'], countries)).toEqual({ D: 'DE', A: 'AT' })
    expect(translate(['S', 'H'], createOptionsField('debit', 'credit'))).toEqual({ S: 'debit', H: 'credit' })
    expect(translate(['S'], createOptionsField('debit', 'credit'))).toEqual({})
    expect(translate(['Végétalienne'], createOptionsField('vegetarian', 'vegan'))).toEqual({ Végétalienne: 'vegan' })
  })

  it('are booleans as the column says', () => {
    const values = ['Yes', 'nein', 1, 'maybe', null]
    const { reading } = decideReading(Field.parse({ key: 'b', type: 'boolean' }), values, 2026)!
    expect(suggestBooleans(['Yes', 'nein', 1, 'maybe'], reading)).toEqual({
      mapping: [
        { sourceValue: 'Yes', destinationValue: true },
        { sourceValue: 'nein', destinationValue: false },
        { sourceValue: 1, destinationValue: true },
      ],
      unusedSourceValues: ['maybe'],
      unusedDestinationValues: [],
    })
  })

  it('are the country with this name in every language, or none', () => {
    const codes = [
      'DE',
      'FR',
      'GB',
      'IE',
      'IS',
      'AT',
      'AU',
      'SI',
      'SK',
      'NE',
      'NG',
      'GN',
      'GW',
      'GQ',
      'CG',
      'CD',
      'KP',
      'KR',
    ]
    const field = createOptionsField(...codes)
    const language = fc.constantFrom(...LANGUAGES)
    const edit = fc.constantFrom(
      (name: string) => name,
      (name: string) => name.toUpperCase(),
      (name: string) => ` ${name.toLowerCase()} `,
      (name: string) => name.slice(0, 3) + name.slice(2),
    )
    fc.assert(
      fc.property(fc.constantFrom(...codes), language, edit, (code, inLanguage, change) => {
        const name = change(new Intl.DisplayNames([inLanguage], { type: 'region' }).of(code)!)
        expect([code, undefined]).toContain(translate([name], field)[name])
      }),
      { numRuns: 500 },
    )
  })

  it('match currencies and languages by code and by name in several languages', () => {
    expect(translate(['Euro', 'US-Dollar', 'złoty polski', 'eur'], createOptionsField('EUR', 'USD', 'PLN'))).toEqual({
      Euro: 'EUR',
      'US-Dollar': 'USD',
      'złoty polski': 'PLN',
      eur: 'EUR',
    })
    expect(translate(['€', '$', 'US$'], createOptionsField('EUR', 'USD', 'CAD'))).toEqual({ '€': 'EUR', US$: 'USD' })
    expect(translate(['Deutsch', 'French', 'hiszpański', 'Italy'], createOptionsField('de', 'fr', 'es', 'it'))).toEqual(
      {
        Deutsch: 'de',
        French: 'fr',
        hiszpański: 'es',
      },
    )
    expect(translate(['Arabic', 'Niemcy'], createOptionsField('AR', 'DE', 'FR'))).toEqual({ Niemcy: 'DE' })
  })

  it('match countries by code and by name in several languages', () => {
    expect(
      translate(
        [
          'Germany',
          'Germnay',
          'Österreich',
          'États-Unis',
          'UK',
          'nl',
          'Australia',
          'Islanda',
          'Ixlanda',
          'Great Britain',
        ],
        createOptionsField('DE', 'AT', 'US', 'GB', 'NL', 'IE'),
      ),
    ).toEqual({
      Germany: 'DE',
      Germnay: 'DE',
      Österreich: 'AT',
      'États-Unis': 'US',
      UK: 'GB',
      'Great Britain': 'GB',
      nl: 'NL',
    })
  })

  it('match misspelled and abbreviated values, unless two options are equally close', () => {
    expect(translate(['shiped', 'canc'], createOptionsField('shipped', 'cancelled', 'open'))).toEqual({
      shiped: 'shipped',
      canc: 'cancelled',
    })
    expect(translate(['pa'], createOptionsField('paid', 'partial'))).toEqual({})
  })

  it.each([
    ['employer', 'employee'],
    ['atypical', 'typical'],
    ['Type II', 'Type III'],
    ['Team B', 'Team A'],
    ['Level 2', 'Level 1'],
    ['approved later', 'approved'],
    ['new', 'open'],
    ['None', 'unknown'],
    ['1.0', '10'],
    ['B+', 'B'],
    ['C', 'C++'],
    ['50', '<50'],
    ['5', '-5'],
    ['-1', 'yes'],
  ])('do not take %s for %s', (value, option) => {
    expect(translate([value], createOptionsField(option, 'something else'))).toEqual({})
  })

  it('stay when two options have their name', () => {
    const field = createOptionsField({ value: 'a', label: 'Same' }, { value: 'b', label: 'same' })
    expect(translate(['same', 'a'], field)).toEqual({ a: 'a' })
  })

  it('are weekdays in one language, shortened, if all texts are', () => {
    const days = createOptionsField('monday', 'tuesday', 'wednesday', 'friday', 'none')
    expect(translate(['Mo', 'Di', 'Mi'], days)).toEqual({})
    const week = createOptionsField('monday', 'tuesday', 'wednesday', 'friday')
    expect(translate(['Mo', 'Di', 'Mi', '-'], week)).toEqual({ Mo: 'monday', Di: 'tuesday', Mi: 'wednesday' })
    expect(translate(['pn.', 'wt', 'pt.'], week)).toEqual({ 'pn.': 'monday', wt: 'tuesday', 'pt.': 'friday' })
    expect(translate(['ma', 'di', 've'], week)).toEqual({ ma: 'tuesday', ve: 'friday' })
    expect(translate(['Mo', 'Di'], week)).toEqual({})
    expect(translate(['Mo', 'Di', 'Mi', 'Xq'], week)).toEqual({})
  })

  it('mean the option left that shares a meaning, next to clear ones, if no other text does', () => {
    const field = createOptionsField('vaccination', 'surgery', 'illness')
    expect(translate(['Vaccino', 'Malattia', 'Operazione'], field)).toMatchObject({ Operazione: 'surgery' })
    expect(translate(['Operazione', 'Chirurgia', 'Malattia'], field)).not.toHaveProperty('Operazione')
    expect(translate(['Operazione', 'Xqvu', 'Ztwo', 'Malattia'], field)).not.toHaveProperty('Operazione')
  })

  it('report unmatched values on both sides', () => {
    expect(suggestValues(['red', 'mauve'], createOptionsField('red', 'green'))).toEqual({
      mapping: [{ sourceValue: 'red', destinationValue: 'red' }],
      unusedSourceValues: ['mauve'],
      unusedDestinationValues: ['green'],
    })
  })

  it('are not translated for a field without options', () => {
    expect(suggestValues(['a'], Field.parse({ key: 's', type: 'string' }))).toBeUndefined()
  })
})

describe('translating values of a mapping', () => {
  it('translates values with a translation and leaves the others', () => {
    const carry = createTranslator({ values: [{ sourceValue: 'M', destinationValue: 'male' }], isList: false })
    expect(['M', ' M ', 'X', null, 7].map(carry)).toEqual(['male', 'male', 'X', null, 7])
  })

  it('splits a list in one cell and translates its items', () => {
    const values = [{ sourceValue: 'a', destinationValue: 'A' }]
    const carry = createTranslator({ values, delimiter: ';', isList: true })
    expect(carry('a; b ;')).toEqual(['A', 'b'])
    expect(carry(['a', 'c'])).toEqual(['A', 'c'])
    expect(['n.d.', 'b\u200b; c\u200e', 'a'].map(carry)).toEqual([null, ['b', 'c'], ['A']])
  })
})

describe('values in another format than the field', () => {
  const convert = (type: string, ...values: unknown[]) => {
    const destinationField = { key: 'f', type }
    return suggestConversion({ ...Edge.parse({ sourceField: { key: 's' }, destinationField }) }, values, 2026)
  }
  const getConversion = (type: string, ...values: unknown[]) => convert(type, ...values).rule?.config
  const own = { sourceField: 'destination!f', destinationField: 'f' }

  it('are read as the evidence of the column says', () => {
    const dayFirst = { ...own, reading: { type: 'date', orders: { '/': 'dmy' } } }
    expect(getConversion('date', '31/12/2024', '01/02/2025')).toEqual(dayFirst)
    expect(getConversion('date', '31/12/2024', 'soon')).toBeUndefined()
    const comma = { ...own, reading: { type: 'number', decimalMark: ',', units: ['€'] } }
    expect(getConversion('number', '1.234,50 €', '7')).toEqual(comma)
    expect(getConversion('number', '12 %', '7 %')).toEqual({ ...own, reading: { type: 'number', units: ['%'] } })
    expect(getConversion('string', 'a', ' b')).toEqual({ ...own, reading: { type: 'string' } })
    const ticks = { ...own, reading: { type: 'boolean', ticks: true, emptyValue: false } }
    expect(getConversion('boolean', 'x', null)).toEqual(ticks)
  })

  it('need no rule when the field stores the same', () => {
    expect(convert('date', '2024-12-31', '31/12/2024')).toEqual({})
    expect(convert('number', '1.5', '7', 3)).toEqual({})
    expect(convert('string', 'a', 'b')).toEqual({})
    expect(convert('boolean', 'ja', 'nein', null)).toEqual({})
    expect(convert('number-list', '1,5')).toEqual({})
  })

  it('are a question when they have two meanings', () => {
    expect(convert('date', '01/02/2024', '03/04/2025').question?.about).toBe('day-month-order')
    expect(convert('number', '1,234', '5,678').question?.about).toBe('decimal-mark')
  })

  it('keep a number with two meanings from being stored as one of them', () => {
    const rule = convert('number', '1.234', '5.678').rule!
    const { reading } = rule.config as { reading: Reading }
    const [unread, ...others] = ['1.234', '950', 7, null].map(createReader(reading, 'amount'))
    expect(unread).toEqual(noteUnread('amount', '1.234', 'This text can mean 1.2340, 1234: enter one of them'))
    expect(others).toEqual([950, 7, null])
  })
})

describe('list cells', () => {
  it.each([
    [['a;b', 'c'], ';'],
    [['a, b', 'c, d', 'e;f'], ';,'],
    [['a;b', 'c|d', 'a, c', 'd'], ';|,'],
    [['Hugo, V.; Hergé', 'Verne, J.', 'Zola, É.'], ';'],
    [['Verne, J.', 'Voltaire; Hergé', 'Kant; Hume'], ';'],
    [['one'], undefined],
  ])('%j are separated by %j', (texts, delimiter) => {
    expect(detectDelimiter(texts)).toBe(delimiter)
  })

  it.each<[string, string | undefined, string[]]>([
    ['a; b;;c ', ';', ['a', 'b', 'c']],
    ['["a","b,c"," d"]', undefined, ['a', 'b,c', ' d']],
    ['["a","b,c"]', ',', ['a', 'b,c']],
    ['[1,true]', undefined, ['1', 'true']],
    ['a; b, c', ';,', ['a', 'b', 'c']],
    ['a - b -c', ' - ', ['a', 'b -c']],
    ['[a],[b]', ',', ['[a]', '[b]']],
    ['[{"a":1}]', undefined, ['[{"a":1}]']],
    ['["half"', undefined, ['["half"']],
  ])('split %s by %s into %j', (text, delimiter, items) => {
    expect(splitItems(text, delimiter)).toEqual(items)
  })

  it('as JSON are not mistaken for texts with commas', () => {
    expect(detectDelimiter(['["a","b"]', '["c","d"]'])).toBeUndefined()
  })
})

describe('assignment', () => {
  const findBestTotal = (weights: number[][]): number => {
    const search = (row: number, taken: Set<number>): number => {
      if (row === weights.length) return 0
      const skipped = search(row + 1, taken)
      return Math.max(
        skipped,
        ...weights[row]!.map((weight, column) =>
          taken.has(column) ? 0 : weight + search(row + 1, new Set([...taken, column])),
        ),
      )
    }
    return search(0, new Set())
  }

  it('finds the best one-to-one total of any small table', () => {
    const table = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })).chain(([rows, columns]) =>
      fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      }),
    )
    fc.assert(
      fc.property(table, (weights) => {
        const chosen = assign(weights)
        const columns = chosen.filter((column) => column >= 0)
        expect(new Set(columns).size).toBe(columns.length)
        const total = chosen.reduce((sum, column, row) => sum + (column < 0 ? 0 : weights[row]![column]!), 0)
        expect(total).toBe(findBestTotal(weights))
      }),
    )
  })
})
