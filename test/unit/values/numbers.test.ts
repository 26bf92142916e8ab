import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gatherColumn, listMeanings, listReadings, readValue } from '../../../lib/values/read-column.ts'
import { DEBITS, type Reading } from '../../../schemas/programs/readings.ts'
import { readColumn, summarize, THIS_YEAR } from './read-column.ts'

const number = { key: 'amount', type: 'number' }
const read = (...texts: string[]) => summarize(readColumn(number, texts))

describe('a column of numbers', () => {
  it('has the short units that the names of its field and column say', () => {
    const interval = { key: 'interval', label: 'Interval (months)', type: 'number' }
    expect(summarize(readColumn(interval, ['12m', '6m', '24', '12 months']))).toEqual([12, 6, 24, 12])
    const miles = { key: 'odometer', label: 'Odometer (miles)', type: 'number' }
    const evidence = gatherColumn(miles, { columnName: 'ODO (MLS)' })!
    for (const text of ['84112', '31455 mi']) evidence.add(text)
    expect(evidence.decide(THIS_YEAR).question).toBeUndefined()
  })

  it('leaves ages next to years', () => {
    expect(read('2001', '2019', '15 anni ca.', '1999')).toEqual([2001, 2019, '(unit)', 1999])
    expect(read('12', '9', '15 anni', '11')).toEqual([12, 9, 15, 11])
  })

  it('without a sign is in percent like fractions of a percent', () => {
    expect(read('0,21%', '0.44', '0,15%', '0,09', '0,41 %')).toEqual([0.21, 0.44, 0.15, 0.09, 0.41])
  })

  it.each<[string[], unknown[]]>([
    [
      ['1.234,50', '1.234', '7'],
      [1234.5, 1234, 7],
    ],
    [
      ['1,234.50', '1,234', '7'],
      [1234.5, 1234, 7],
    ],
    [
      ['1.234.567', '1.234'],
      [1234567, 1234],
    ],
    [
      ['34,034#', '2,182 #', '359.5#', '812 lbs'],
      [34034, 2182, 359.5, 812],
    ],
    [
      ['7.25%', '8.625%', '11.125 %', '10.50%', '4.00'],
      [7.25, 8.625, 11.125, 10.5, 4],
    ],
    [
      ['0,125', '1.234'],
      [0.125, 1234],
    ],
    [
      ['12,5', '1.234'],
      [12.5, 1234],
    ],
    [
      ['1 234,50', '1\u00a0234', '1\u202f234', '1\u2009234 567'],
      [1234.5, 1234, 1234, 1234567],
    ],
    [
      ["1'234.50", '1’234'],
      [1234.5, 1234],
    ],
    [
      ['12,34,567.5', '1,23,456'],
      [1234567.5, 123456],
    ],
    [
      ['(12)', '12-', '-12', '−12', '+12', '- 12'],
      [-12, -12, -12, -12, 12, -12],
    ],
    [
      ['€ 1.234,50', '12 €', '-€ 3,5', '€-3', '(€ 4)', '5 EUR', 'EUR 6'],
      [1234.5, 12, -3.5, -3, -4, 5, 6],
    ],
    [
      ['$12.50', 'US$ 3', 'USD 4'],
      [12.5, 3, 4],
    ],
    [
      ['CHF 12.50', "CHF 1'000.00", 'CHF 5.-'],
      [12.5, 1000, 5],
    ],
    [
      ['12,50 zł', '3 zł'],
      [12.5, 3],
    ],
    [
      ['12,-', '3,50', '4,– €'],
      [12, 3.5, 4],
    ],
    [
      ['12 kg', '3,5 kg', '4kg', '5 KG', '6'],
      [12, 3.5, 4, 5, 6],
    ],
    [
      ['5 m', '7,5 m'],
      [5, 7.5],
    ],
    [
      ['12 %', '3.5%'],
      [12, 3.5],
    ],
    [
      ['1.234E+05', '1e5', '2,5E-3'],
      [123400, 100000, 0.0025],
    ],
    [
      ['007', '1e5'],
      [7, 100000],
    ],
    [
      ['.5', '1.25'],
      [0.5, 1.25],
    ],
  ])('%j is read as %j', (texts, values) => {
    expect(read(...texts)).toEqual(values)
  })

  it.each([
    ...['1.2.3', '12-15', '12:30', '1 23', '1,23,4', '12 3 kg', '', '5m', '12k', '3 Mio.', '4 Mio', '2M', '3 tys.'],
    ...[
      '5 kEUR',
      '3 T€',
      '~12',
      '> 5',
      'ca. 12',
      '1234567890123456789',
      '--5',
      '(-5)',
      '-5-',
      '1.234.56',
      '5 MUSD',
      '5 CR',
    ],
  ])('has no number in %j', (text) => {
    expect(readColumn(number, [text, '1.5']).values[0]).toHaveProperty('problem')
  })

  it('with one mark before three digits is a question', () => {
    const column = readColumn(number, ['1.234', '12.500', '950'])
    expect(summarize(column)).toEqual(['(ambiguous)', '(ambiguous)', 950])
    expect(column.question).toEqual({
      about: 'decimal-mark',
      examples: ['1.234', '12.500'],
      alternatives: [
        { type: 'number', decimalMark: '.' },
        { type: 'number', decimalMark: ',' },
      ],
    })
  })

  it('with three digits next to numbers with two decimals is a question', () => {
    expect(read('12.50', '1.250', '1,250')).toEqual([12.5, '(ambiguous)', '(ambiguous)'])
    expect(read('12.50', '1,250')).toEqual([12.5, 1250])
    expect(read('12.5', '3.75', '1.250')).toEqual([12.5, 3.75, 1.25])
    expect(read('0.125', '1.250')).toEqual([0.125, 1.25])
  })

  it('with both decimal marks has thousands where another number has them', () => {
    expect(read('85,50', '48.40', '1.150,00', '1.150')).toEqual([85.5, 48.4, 1150, 1150])
    expect(read('85,50', '48.405', '1.150,00')).toEqual([85.5, 48_405, 1150])
    expect(read('85,50', '4.5', '1.150,00', '1.150')).toEqual([85.5, 4.5, 1150, 1150])
    expect(read('85,50', '4.5', '1.150,00', '1.155')).toEqual([85.5, 4.5, 1150, '(ambiguous)'])
  })

  it('with number cells of a spreadsheet next to typed texts has the decimal mark of the texts', () => {
    expect(read('745.5', '680,50 €', '€ 1.350')).toEqual([745.5, 680.5, 1350])
    expect(read('0.82', '0,345 €', '2,350 €')).toEqual([0.82, 0.345, 2.35])
    expect(read('745.5', '680,50 €', '1.355')).toEqual([745.5, 680.5, '(ambiguous)'])
    expect(read('745.5', '680,50 €', '1,350 €')).toEqual([745.5, 680.5, '(ambiguous)'])
  })

  it('with three digits next to whole numbers has thousands if decimals would not fit', () => {
    const readStock = (...texts: string[]) => summarize(readColumn({ ...number, label: 'Qty in stock' }, texts))
    expect(readStock('35', '180', '12', '1.250')).toEqual([35, 180, 12, 1250])
    expect(readStock('35', '180', '1.250')).toEqual([35, 180, '(ambiguous)'])
    expect(readStock('3', '8', '12', '1.250')).toEqual([3, 8, 12, '(ambiguous)'])
    expect(readStock('35', '180', '12', '1.255')).toEqual([35, 180, 12, '(ambiguous)'])
    expect(readStock('35 kg', '180 kg', '12 kg', '1.250 kg')[3]).toBe('(ambiguous)')
    expect(read('35', '180', '12', '1.250')).toEqual([35, 180, 12, '(ambiguous)'])
    expect(read('35 pcs', '180', '12', '1.255')).toEqual([35, 180, 12, 1255])
    expect(read('35 m', '180 m', '12 m', '1.250 m')[3]).toBe('(ambiguous)')
    expect(read('$24,000', '$8,500', '1800')).toEqual([24_000, 8500, 1800])
    expect(read('$24,000', '$8,505', '1800')[0]).toBe('(ambiguous)')
    expect(read('$24,000', '$8,500', '180')[0]).toBe('(ambiguous)')
  })

  it('with both decimal marks is a question about the values that can be either', () => {
    const column = readColumn(number, ['1,5', '2.25', '1.234,50', '1,234'])
    expect(summarize(column)).toEqual([1.5, 2.25, 1234.5, '(ambiguous)'])
    expect(column.question?.about).toBe('decimal-mark')
  })

  it.each([
    ['different units', ['12 kg', '500 g']],
    ['different currencies', ['12 €', '$12']],
    ['percent and plain numbers', ['12 %', '0.12']],
    ['percent and smaller plain numbers', ['5 %', '6 %', '8 %', '0.12']],
  ])('with %s is a question about the unit', (_name, texts) => {
    const column = readColumn(number, texts)
    expect(column.question?.about).toBe('unit')
    expect(summarize(column)[0]).toBe('(unit)')
  })

  it.each<[string[], unknown[]]>([
    [
      ['1.000,-- EUR', '1.000', '12,–'],
      [1000, 1000, 12],
    ],
    [
      ['30 jours', '45 j', '60'],
      [30, 45, 60],
    ],
    [
      ['14 dagen', '30 dgn', '1 dag'],
      [14, 30, 1],
    ],
    [
      ['294 mq', '116 m²', '80 qm'],
      [294, 116, 80],
    ],
    [
      ['5 Stk', '6 pz', '7 szt.', '8 st.'],
      [5, 6, 7, 8],
    ],
    [
      ['x12', '24x', '×4', 'Stk. 6', '8'],
      [12, 24, 4, 6, 8],
    ],
    [
      ['1,7º', '0,4', '1,1°'],
      [1.7, 0.4, 1.1],
    ],
    [
      ['2 Kinder', '1 Kind', '3'],
      [2, 1, 3],
    ],
    [
      ['3 veces', '1 vez'],
      [3, 1],
    ],
  ])('%j with units or sides is read as %j', (texts, values) => {
    expect(read(...texts)).toEqual(values)
  })

  it('asks whether debits are negative if both sides occur or the header names them', () => {
    const decide = (columnName: string, ...texts: string[]) => {
      const column = gatherColumn(number, { columnName })!
      for (const text of texts) column.add(text)
      return column.decide(THIS_YEAR)
    }
    const reading = { type: 'number', decimalMark: ',', debits: 'unclear' } as const
    const [negative, positive] = (['negative', 'positive'] as const).map((debits) => ({ ...reading, debits }))
    const question = { about: 'debit-credit', examples: ['12,50 S'], alternatives: [negative, positive] }
    expect(decide('Betrag S/H', '12,50 S')).toEqual({ reading, question })
    expect(decide('Amount', '1.50 DR', '2.00 CR', '1.50 DR').question).toMatchObject({
      examples: ['1.50 DR', '2.00 CR'],
    })
    expect(decide('Amount', '1.500 D', '2.000 C').question).toMatchObject({
      about: 'decimal-mark',
      alternatives: ['.', '.', ',', ','].map((decimalMark, at) => ({ decimalMark, debits: DEBITS[at % 2] })),
    })
    const texts = ['12,50 S', '3,00 H', '0,00', '0,00 S', '5,00', '-4,00 S']
    const readAll = (one: Reading) => summarize({ reading: one, values: texts.map((text) => readValue(one, text)) })
    const [unclear, unreadable] = ['(ambiguous)', '(unreadable)']
    expect(readAll(reading)).toEqual([unclear, unclear, 0, 0, unclear, unreadable])
    expect(readAll(negative!)).toEqual([-12.5, 3, 0, 0, unclear, unreadable])
    expect(readAll(positive!)).toEqual([12.5, -3, 0, 0, unclear, unreadable])
    expect(listMeanings(listReadings(reading), '12,50 S')).toEqual([-12.5, 12.5])
    expect(read('12,5 H', '3 H')).toEqual([12.5, 3])
    expect(read('12,50 H', '3,00 H')).toEqual(['(ambiguous)', '(ambiguous)'])
  })

  it('in other units is converted to the unit of its field if the result is exact', () => {
    const weight = { ...number, label: 'Weight (kg)' }
    expect(summarize(readColumn(weight, ['120 g', '1.2 kg', '0.5 t']))).toEqual([0.12, 1.2, 500])
    expect(summarize(readColumn(weight, ['120 g', '1.2 kg', '7']))).toEqual([0.12, 1.2, '(unit)'])
    expect(summarize(readColumn(weight, ['1.200 g', '1,5 kg']))).toEqual([1.2, 1.5])
    const duration = { ...number, label: 'Duration in hours' }
    expect(summarize(readColumn(duration, ['45 min', '20 min', '2 h']))).toEqual([0.75, '(unit)', 2])
  })

  it('is a length in mm, m or miles only if its field or column has a unit of length', () => {
    const height = { ...number, label: 'Height (cm)' }
    expect(summarize(readColumn(height, ['172 mm', '14,5 cm']))).toEqual([17.2, 14.5])
    expect(summarize(readColumn({ ...number, label: 'Length (m)' }, ['7,2m', '9,8 m', '4']))).toEqual([7.2, 9.8, 4])
    expect(summarize(readColumn({ ...number, label: 'Miles' }, ['619 mi', '700']))).toEqual([619, 700])
    expect(summarize(readColumn({ ...number, label: 'Price (EUR)' }, ['7m', '5 mm']))).toEqual(['(unit)', '(unit)'])
    expect(summarize(readColumn(number, ['7m', '9m']))).toEqual(['(unit)', '(unit)'])
  })

  it('in years is converted to months, and another word leaves its own cell open', () => {
    const term = { ...number, label: 'Term (months)' }
    expect(summarize(readColumn(term, ['12 mois', '1 an', '2 ans', '8 numéros']))).toEqual([12, 12, 24, '(unit)'])
    expect(summarize(readColumn({ ...number, label: 'Disk (GB)' }, ['512 Go', '1 To']))).toEqual([512, 1000])
  })

  it('adds hours and minutes, or pounds and ounces, in the unit of its field', () => {
    const minutes = { ...number, label: 'Duration (min)' }
    const texts = ['1h 30m', '1 h 30', '2 Std. 5 Min.', "20'", '45 min', '35', '30m 1h', '1 h 75']
    expect(summarize(readColumn(minutes, texts))).toEqual([90, 90, 125, 20, 45, 35, '(unreadable)', '(unreadable)'])
    expect(summarize(readColumn({ ...number, label: 'Weight (lb)' }, ['8 lb 8 oz', '9.4 lb']))).toEqual([8.5, 9.4])
    expect(summarize(readColumn(number, ['1h 30m', '5']))).toEqual(['(unreadable)', 5])
  })

  it('without a unit is in that of its field next to many like it, and unlike the others', () => {
    const weight = { ...number, label: 'Weight (kg)' }
    expect(summarize(readColumn(weight, ['630 kg', '570 kg', '1060 kg', '2,4 t', '470']))).toEqual([
      630, 570, 1060, 2400, 470,
    ])
    expect(summarize(readColumn(weight, ['63 kg', '57 kg', '106 kg', '24 t', '20']))).toEqual([
      63,
      57,
      106,
      24000,
      '(unit)',
    ])
  })

  it('without a unit is in that of its column if the field has the same', () => {
    const hours = { ...number, label: 'Hours worked' }
    expect(summarize(readColumn(hours, ['1.5', '15 mins'], 'Time spent (hrs)'))).toEqual([1.5, 0.25])
    expect(summarize(readColumn(hours, ['1.5', '15 mins'], 'Time spent'))).toEqual(['(unit)', 0.25])
  })

  it('is a temperature with or without the sign for degrees', () => {
    const temperature = { ...number, label: 'Temperature (°F)' }
    expect(summarize(readColumn(temperature, ['38', '40 F', '39°F']))).toEqual([38, 40, 39])
    expect(summarize(readColumn({ ...number, label: 'Weight (kg)' }, ['40 F', '39']))).toEqual(['(unit)', 39])
  })

  it('is 0 if an amount is free', () => {
    const texts = ['4.95', 'FREE', 'gratis']
    expect(summarize(readColumn({ ...number, label: 'Shipping cost' }, texts))).toEqual([4.95, 0, 0])
    expect(summarize(readColumn({ ...number, label: 'Extras (EUR)' }, texts))).toEqual([4.95, 0, 0])
    expect(readColumn({ type: 'number', key: 'x' }, texts, 'Versandkosten').reading).toMatchObject({
      zeroTexts: ['FREE', 'gratis'],
    })
    expect(summarize(readColumn({ ...number, label: 'Beitrag' }, ['48', 'beitragsfrei']))).toEqual([48, 0])
    expect(summarize(readColumn({ type: 'number', key: 'seats' }, ['4', 'FREE']))).toEqual([4, '(unreadable)'])
    expect(summarize(readColumn({ type: 'number', key: 'reports' }, ['4', 'FREE']))).toEqual([4, '(unreadable)'])
  })

  it('is a count of hours below a short word for hours, and a meter of hours is not in meters', () => {
    const meter = { ...number, label: 'Operating hours meter' }
    expect(summarize(readColumn(meter, ['21.670,5', '12.649 h', '528 h', '13.929'], 'Zähler Betr.-Std.'))).toEqual([
      21670.5, 12649, 528, 13929,
    ])
  })

  it('counts what its name says, also abbreviated, and asks about other words', () => {
    const frames = { ...number, label: 'Strength (frames)' }
    expect(summarize(readColumn(frames, ['6 frames', '4 f.', '3']))).toEqual([6, 4, 3])
    const packages = readColumn({ ...number, label: 'Boxes' }, ['6 boxes', '4 pallets', '3'])
    expect(summarize(packages)).toEqual([6, '(unit)', 3])
    expect(packages.question?.about).toBe('unit')
  })

  it('in percent by volume is in percent', () => {
    expect(summarize(readColumn({ ...number, label: 'Alcohol (%)' }, ['13,5 % vol', '12 %', '40 % Vol.']))).toEqual([
      ...[13.5, 12, 40],
    ])
  })

  it('without a unit has the one that its column names', () => {
    const readIn = (label: string, columnName: string, ...texts: string[]) => {
      const column = gatherColumn({ ...number, label }, { columnName })!
      for (const text of texts) column.add(text)
      const { reading } = column.decide(THIS_YEAR)
      return texts.map((text) => readValue(reading, text))
    }
    expect(readIn('Weight (kg)', 'Gewicht (g)', '500')).toEqual([{ value: 0.5 }])
    expect(readIn('Weight (kg)', 'Gewicht (g)', '5e3', '25e-3')).toEqual([{ value: 5 }, { value: 0.000025 }])
    expect(readIn('Price (EUR)', 'Price (USD)', '5')).toEqual([{ problem: 'unit' }])
    expect(readIn('Price', 'Price (USD)', '5', '€ 6')).toEqual([{ value: 5 }, { problem: 'unit' }])
    expect(readIn('Sales', 'Sales week', '5')).toEqual([{ value: 5 }])
    expect(readIn('Valore (€)', 'Valore (k€)', '12.5')).toEqual([{ value: 12_500 }])
    expect(readIn('Umsatz EUR', 'Umsatz TEUR', '-3')).toEqual([{ value: -3000 }])
    expect(readIn('Umsatz (EUR)', 'Umsatz in Tsd. EUR', '7')).toEqual([{ value: 7000 }])
    expect(readIn('Revenue ($)', 'Revenue ($m)', '1.25')).toEqual([{ value: 1_250_000 }])
    expect(readIn('Salary', 'Salary (€/year)', '28k', '24000')).toEqual([{ value: 28_000 }, { value: 24_000 }])
    expect(readIn('Budget (k€)', 'Budget (€)', '12500')).toEqual([{ value: 12.5 }])
    expect(readIn('Budget (k€)', 'Budget', '3 k€', '1.5 k€')).toEqual([{ value: 3 }, { value: 1.5 }])
    expect(readIn('Budget (k€)', 'Budget (k€)', '12.5')).toEqual([{ value: 12.5 }])
    expect(readIn('Revenue ($)', 'Revenue (k€)', '5')).toEqual([{ problem: 'unit' }])
    expect(readIn('Depth (m)', 'Depth (m)', '5')).toEqual([{ value: 5 }])
    expect(readIn('Size', 'Size M', '5')).toEqual([{ value: 5 }])
  })

  it('is converted exactly or not at all', () => {
    const units = [
      ['mg', 3, -6],
      ['g', 3, -3],
      ['kg', 3, 0],
      ['t', 3, 3],
    ] as const
    const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 999_999 }), fc.constantFrom(...units)), { minLength: 1 })
    fc.assert(
      fc.property(rows, (amounts) => {
        const texts = amounts.map(([amount, [unit]]) => `${amount / 10} ${unit}`)
        const column = readColumn({ ...number, label: 'Weight (kg)' }, texts)
        for (const [index, result] of column.values.entries()) {
          const [amount, [, , power]] = amounts[index]!
          if ('value' in result) expect(result.value).toBe(Number(`${amount}e${power - 1}`))
        }
        expect(column.values.every((result) => 'value' in result)).toBe(true)
      }),
    )
  })

  it('counts persons, pages and abbreviated words in the same unit', () => {
    expect(summarize(readColumn(number, ['2 pax', '3', '2 personas', '1 pers.']))).toEqual([2, 3, 2, 1])
    expect(summarize(readColumn(number, ['456', '432 pp.', 'pp. 392']))).toEqual([456, 432, 392])
    expect(summarize(readColumn(number, ['2 sin.', '1 sinistre']))).toEqual([2, 1])
    expect(readColumn(number, ['2 boxes', '3 pallets']).question?.about).toBe('unit')
    expect(summarize(readColumn(number, ['S. 12', 'Nr. 5']))).toEqual(['(unreadable)', '(unreadable)'])
  })

  it('has words that a name of the column says, shortened or not', () => {
    const named = (label: string, columnName: string, ...texts: string[]) =>
      summarize(readColumn({ ...number, label }, texts, columnName))
    expect(named('Number of nights', 'Nts', '2 nights', '3 nts', '4')).toEqual([2, 3, 4])
    expect(named('Bottles', 'Nb btl', '6 bouteilles', '12 btl')).toEqual([6, 12])
    expect(named('Quantity', 'Aant.', '1 st', '2 stuks', '3x', '4')).toEqual([1, 2, 3, 4])
    expect(named('Table number', 'Table', 'Table 12', '7', 'Chair 3')).toEqual([12, 7, '(unreadable)'])
    expect(named('Invoice number', 'Nr.', 'Nr. 12', '#7')).toEqual([12, 7])
    expect(named('Alcohol (% vol.)', 'Degré', '12,5°', '13 % vol', '14,0')).toEqual([12.5, 13, 14])
    expect(named('Slope (%)', 'Slope', '12,5°', '13 %')).toEqual(['(unit)', 13])
    expect(named('Rooms', 'Zimmer', '3 Zi.', '2,5 Zimmer')).toEqual([3, 2.5])
    expect(named('Size (MB)', 'Size', '1,5 MB', '300 KB')).toEqual([1.5, '(unit)'])
    expect(named('Duration (minutes)', 'mins', '45m', '30 min', '20')).toEqual([45, 30, 20])
  })

  it('has a maximum that a name or its other numbers say, or asks for it', () => {
    const out = { ...number, label: 'Score out of 20' }
    expect(summarize(readColumn(out, ['16/20', '11,5/20', '12', '3/4']))).toEqual([16, 11.5, 12, '(unreadable)'])
    expect(summarize(readColumn(out, ['16/20', '21/20']))).toEqual(['(unreadable)', '(unreadable)'])
    expect(summarize(readColumn(out, ['16/20', '11,5 / 20', '12 von 20']))).toEqual([16, 11.5, 12])
    expect(summarize(readColumn(number, ['68/100', '80/100', '75/100', '91']))).toEqual([68, 80, 75, 91])
    expect(summarize(readColumn(number, ['1/8', '3/8', '5/8', '2']))).toEqual([...Array(3).fill('(unreadable)'), 2])
    const open = readColumn(number, ['68/100', '80/100'])
    expect(summarize(open)).toEqual(['(unreadable)', '(unreadable)'])
    expect(open.question).toMatchObject({ about: 'unit', alternatives: [{ labels: ['/100'] }] })
    expect(readColumn({ ...number, label: 'Share (%)' }, ['16/20', '11/20']).question).toBeUndefined()
  })

  it('is an amount with or without tax, if all are', () => {
    expect(summarize(readColumn(number, ['12,50 € TTC', '€ 8,00 TTC']))).toEqual([12.5, 8])
    expect(readColumn(number, ['12,50 € brutto', '8,00 € netto']).question?.about).toBe('unit')
    expect(summarize(readColumn(number, ['£20', '20 pounds', '7 quid']))).toEqual([20, 20, 7])
  })

  it('repeats its currency, and has footnotes', () => {
    expect(summarize(readColumn(number, ['€ 1500,00 €', '€ 7,50 EUR', '3,71 *', '$ 5 €']))).toEqual([
      ...[1500, 7.5, 3.71, '(unreadable)'],
    ])
  })

  it('reads millions next to amounts, whichever comes first', () => {
    const texts = ['€ 408.500', '€ 1,15 mln', '€ 56.000']
    expect(summarize(readColumn(number, [...texts, '396500,00']))).toEqual([408500, 1150000, 56000, 396500])
    expect(summarize(readColumn(number, ['396500,00', ...texts.toReversed()]))[2]).toBe(1150000)
  })

  it('with another unit than its field is a question', () => {
    expect(summarize(readColumn({ ...number, label: 'Weight (kg)' }, ['5 m']))).toEqual(['(unit)'])
    expect(summarize(readColumn({ ...number, label: 'Weight (kg)' }, ['5 kg']))).toEqual([5])
    expect(summarize(readColumn({ ...number, label: 'Price (EUR)' }, ['5 €', '6 EUR']))).toEqual([5, 6])
    expect(summarize(readColumn({ ...number, label: 'Price (net)' }, ['5 €']))).toEqual([5])
  })
})

const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'de-CH', 'de-AT', 'en-IN', 'fr-CH']
const value = fc.oneof(
  fc.integer({ min: -9_999_999, max: 9_999_999 }),
  fc.integer({ min: -9_999_999, max: 9_999_999 }).map((cents) => cents / 100),
  fc.integer({ min: -99_999, max: 99_999 }).map((mills) => mills / 1000),
)
const styles = fc.constantFrom<Intl.NumberFormatOptions>(
  {},
  { useGrouping: false },
  { style: 'currency', currency: 'EUR' },
  { style: 'currency', currency: 'USD', currencyDisplay: 'code' },
  { style: 'currency', currency: 'PLN', currencySign: 'accounting' },
  { style: 'unit', unit: 'kilogram' },
  { style: 'unit', unit: 'percent' },
)

describe('a number written by Intl', () => {
  it.each(LOCALES)('in %s is read as the same number or not at all', (locale) => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), styles, (numbers, style) => {
        const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 3, ...style })
        const rounded = numbers.map((one) => Number(one.toFixed(format.resolvedOptions().maximumFractionDigits)))
        const column = readColumn(
          number,
          numbers.map((one) => format.format(one)),
        )
        for (const [index, result] of column.values.entries()) {
          if ('value' in result) expect(result.value).toBeCloseTo(rounded[index]!, 6)
          else expect(['ambiguous']).toContain(result.problem)
        }
        if (column.values.some((result) => 'problem' in result)) expect(column.question).toBeDefined()
      }),
      { numRuns: 60 },
    )
  })
})

const NUMBERED: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `Table ${text}`,
  (text) => `${text}/100`,
  (text) => `${text} von 100`,
  (text) => `${text} *`,
  (text) => `${text} tables`,
]

describe('a number next to what its column is called', () => {
  it('is read as the same number or not at all', () => {
    const cell = fc.tuple(fc.integer({ min: 0, max: 100 }), fc.constantFrom(...NUMBERED))
    const labels = fc.constantFrom('Table', 'Points out of 100', 'Table: 0 to 100', 'Share (%)')
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 8 }), labels, (cells, label) => {
        const texts = cells.map(([one, format]) => format(String(one)))
        for (const [index, result] of readColumn({ ...number, label }, texts).values.entries())
          if ('value' in result) expect(result.value, `${label} ${texts.join(', ')}`).toBe(cells[index]![0])
      }),
      { numRuns: 500 },
    )
  })
})

const MILEAGES = ['57368', '16941', '120033', '88100', '45210']
const OPEN = ['(ambiguous)', '(ambiguous)', '(ambiguous)']

describe('units in the name of a column', () => {
  const readIn = (columnName: string, ...texts: string[]) =>
    summarize(readColumn({ ...number, label: columnName }, texts))

  it('do not include what prices are for', () => {
    expect(readIn('Cost each', '£0.18', '0.04', '7.90')).toEqual([0.18, 0.04, 7.9])
    expect(readIn('Price (each)', '£0.18', '0.04')).toEqual([0.18, 0.04])
  })
  it('can be its letters', () => {
    expect(readIn('AT', '10 AT', '2', '4,5')).toEqual([10, 2, 4.5])
    expect(readIn('Nb ex.', '1', '2 ex.')).toEqual([1, 2])
  })
  it('can differ in counts of goods', () => {
    expect(readIn('Conteo', '587 uds', '17 pares', '40')).toEqual([587, 17, 40])
  })
})

describe('the sizes of the numbers of a column', () => {
  it.each<[string, string[], unknown[]]>([
    ['have thousands like the others', [...MILEAGES, '54.408', '23.110', '99.001'], [54_408, 23_110, 99_001]],
    ['stay open if both fit', ['1', '20', '900', '1500', '70', '1.234', '2.345', '3.456'], OPEN],
    ['stay open if neither fits', ['12', '15', '18', '13', '14', '1.234', '2.345', '3.456'], OPEN],
    [
      'have thousands if one is unlike many whole numbers',
      ['480', '216', '640', '90', '75', '120', '80', '150', '1.040'],
      [1040],
    ],
    [
      'have thousands if all are round amounts',
      ['46.000 €', '31.200 €', '28.850 €', '43.500'],
      [46_000, 31_200, 28_850, 43_500],
    ],
    ['stay open in dinars, which have three decimals', ['46.000 TND', '31.200 TND', '28.850 TND'], OPEN],
    ['stay open if they can be prices', ['1.500 €', '2.250 €', '3.700 €'], OPEN],
    ['stay open without a currency', ['46.000', '31.200', '28.850'], OPEN],
    ['say nothing if there are few', ['57368', '54.408', '23.110', '99.001'], OPEN],
  ])('%s: %j', (_, texts, values) => {
    expect(read(...texts).slice(-values.length)).toEqual(values)
  })

  it('say that numbers without a unit have that of the field', () => {
    const weight = { key: 'weight_kg', type: 'number' }
    const readWeights = (...texts: string[]) => summarize(readColumn(weight, texts))
    expect(readWeights('23,5 t', '16408', '2969,5', '21934')).toEqual([23_500, 16_408, 2969.5, 21_934])
    expect(readWeights('500 g', '2', '750 g', '900', '1,5').slice(1, 2)).toEqual(['(unit)'])
  })
})

describe('places in a ranking', () => {
  it('are read with the endings of their language', () => {
    expect(read('4', '11°', '3º', '2ª', 'rit.')).toEqual([4, 11, 3, 2, '(unreadable)'])
    expect(read('1st', '2nd', '3rd', '14th', '5')).toEqual([1, 2, 3, 14, 5])
    expect(read('1er', '2ème')).toEqual([1, 2])
  })
  it('are not amounts in other units', () => {
    expect(read('11°', '12 kg', '3')).toEqual(['(unit)', '(unit)', 3])
  })
})

describe('hours and months', () => {
  it('are read from clocks and short words', () => {
    const readHours = (...texts: string[]) => summarize(readColumn({ key: 'hours', type: 'number' }, texts))
    expect(readHours('7:30', '8.25', '7h 30m', '10:00')).toEqual([7.5, 8.25, 7.5, 10])
    expect(read('7:30', '8')).toEqual(['(unreadable)', 8])
    expect(read('9 m-cy', '12')).toEqual([9, 12])
  })
})

describe('Indian amounts', () => {
  it('are read with lakhs, and with the sign or the word of rupees', () => {
    const total = { key: 'total', label: 'Total amount (INR)', type: 'number' }
    const texts = ['82,200.00', '1,25,000.00', '₹3,68,000.00', 'Rs. 33,600/-', '500/-']
    expect(summarize(readColumn(total, texts, 'Amount (Rs.)'))).toEqual([82_200, 125_000, 368_000, 33_600, 500])
  })
})

describe('amounts in rand', () => {
  it('are read behind their letter', () => {
    expect(read('R 12 500,00', 'R870,50', '-R 5 000,00', '0')).toEqual([12_500, 870.5, -5000, 0])
  })
})

describe('quantities of different goods', () => {
  const readQuantities = (...texts: string[]) => summarize(readColumn({ ...number, label: 'Quantity' }, texts, 'Qty.'))

  it('are read without their units', () => {
    expect(readQuantities('1200 kg', '500 nos', '20 Drums', '85 pairs', '7')).toEqual([1200, 500, 20, 85, 7])
  })
  it('stay open in units of which one can be converted into another', () => {
    expect(readQuantities('1200 kg', '500 g', '20 Drums')).toEqual(['(unit)', '(unit)', '(unit)'])
    expect(readQuantities('12 dozen', '30 pcs')[0]).toBe('(unit)')
  })
})

describe('amounts in thousands and millions', () => {
  it('are read without a currency in a column of money, or next to numbers of this size', () => {
    expect(read('$78000', '85k')).toEqual([78_000, 85_000])
    expect(summarize(readColumn({ ...number, label: 'Fee' }, ['12k', '9500']))).toEqual([12_000, 9500])
    expect(read('1850', '900', '2.4k', '3200')).toEqual([1850, 900, 2400, 3200])
    expect(read('5', '10', '21', '12k')).toEqual([5, 10, 21, '(unit)'])
  })

  it('are read next to a currency', () => {
    expect(read('£5k', '£1.2m', '£500', '$3')).toEqual(['(unit)', '(unit)', '(unit)', '(unit)'])
    expect(read('£5k', '£1.2m', '£500', '12,000')).toEqual([5000, 1_200_000, 500, 12_000])
    expect(read('3,5 Mio. €', '20 k€', '1.000 €', '2 Mrd. EUR')).toEqual([3_500_000, 20_000, 1000, 2_000_000_000])
  })

  it('are left open next to small numbers, which can be thousands too', () => {
    expect(read('5 kEUR', '1.5')).toEqual(['(unit)', '(unit)'])
    expect(read('5k', '5m', '5M', '20')).toEqual(['(unit)', '(unit)', '(unit)', 20])
  })

  it('are read with signs that are words', () => {
    expect(read('84,50 TL', '1.310,00 TL')).toEqual([84.5, 1310])
    expect(read('4 506 btl.', '12')).toEqual([4506, 12])
  })

  it('are read with what they are for, if it is the same for all', () => {
    const readFee = (label: string, ...texts: string[]) =>
      summarize(readColumn({ key: 'fee', label, type: 'number' }, texts))
    expect(readFee('Monthly fee (EUR)', '20 €/mese', '25,50 €/mese', '30')).toEqual([20, 25.5, 30])
    expect(readFee('Rate', '$35/hr', '$40.50 per hour', '$5')).toEqual([35, 40.5, 5])
    expect(readFee('Budget', '£18000 p.a.', '£950.50')).toEqual([18_000, 950.5])
    expect(readFee('Fee', '20 €/month', '240 €/year')).toEqual(['(unit)', '(unit)'])
    expect(readFee('Annual fee', '20 €/month', '30 €/month')).toEqual(['(unit)', '(unit)'])
    expect(readFee('Weekly rate (GBP)', '£87.50 p/w', '£95 per week', '£90')).toEqual([87.5, 95, 90])
    expect(readFee('Weekly rate (GBP)', '£87.50 p/m', '£95 p/m')).toEqual(['(unit)', '(unit)'])
    expect(readFee('Annual salary (USD)', '$58,000', '$45k', '$19.50/hr')).toEqual([58_000, 45_000, '(unit)'])
    expect(readFee('Price per kg', '0,345 €', '2,350 €', '1,120 €/kg')).toEqual([0.345, 2.35, 1.12])
    expect(readFee('Hours per week', '36 u/w', '36u', '40 uur', '32')).toEqual([36, 36, 40, 32])
    expect(readFee('Share (‰)', '43.7', '31.2 ‰')).toEqual([43.7, 31.2])
    expect(readFee('Share (%)', '43.7 ‰', '3 %')).toEqual(['(unit)', 3])
  })

  it('are read next to amounts with a word that is not clear', () => {
    const amounts = ['€ 2.600', '4875 bruto', '3100', '2800', '€ 4000', '3500', '3300']
    expect(read(...amounts)).toEqual([2600, '(unit)', 3100, 2800, 4000, 3500, 3300])
  })

  it('have thousands next to amounts without decimals that are a hundred times larger', () => {
    expect(read('1.350 €', '450 €', '80 €', '120 €', '200 €', '320 €')).toEqual([1350, 450, 80, 120, 200, 320])
    expect(read('1.350 €', '1 €', '2 €', '3 €', '1 €', '2 €')[0]).toBe('(ambiguous)')
  })

  it('are read without a currency in a field of money', () => {
    const readRevenue = (...texts: string[]) =>
      summarize(readColumn({ key: 'revenue', label: 'Revenue (GBP)', type: 'number' }, texts))
    expect(readRevenue('12k', '8,500', '6.5k', '3,000')).toEqual([12_000, 8500, 6500, 3000])
    expect(readRevenue('12k', '5', '6.5m')).toEqual(['(unit)', '(unit)', '(unit)'])
  })
})
