import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { suggestValues } from '../../../lib/mapping/enums.ts'
import { isNoun, LEXICON_PATHS, listParticipleSenses, listSenses } from '../../../lib/mapping/lexicon/lexicon.ts'
import { splitWords } from '../../../lib/mapping/tokenize.ts'
import { Field } from '../../../schemas/sheets/fields.ts'
import { listReadFiles } from '../../../scripts/read-files.ts'

function translate(labels: Record<string, string>, ...texts: string[]) {
  const options = Object.entries(labels).map(([value, label]) => ({ value, label }))
  const { mapping } = suggestValues(texts, Field.parse({ key: 'kind', type: 'enum', config: { options } }))!
  return Object.fromEntries(mapping.map(({ sourceValue, destinationValue }) => [sourceValue, destinationValue]))
}

describe('options in other words', () => {
  it('match a word of another language', () => {
    const appliances = { fridge: 'Fridge', oven: 'Oven', pump: 'Heat pump' }
    expect(translate(appliances, 'Frigorífico', 'FORNO', 'Pompe à chaleur', 'krzesło')).toEqual({
      ...{ Frigorífico: 'fridge', FORNO: 'oven', 'Pompe à chaleur': 'pump' },
    })
    expect(translate({ clay: 'Clay', hard: 'Hard court', grass: 'Grass' }, 'trawa', 'Twarda')).toEqual({
      ...{ trawa: 'grass', Twarda: 'hard' },
    })
  })
  it('do not match a word that a wordnet has with a wrong meaning', () => {
    expect(translate({ kids: 'Kinderfiets', sport: 'Sportfiets' }, 'driewieler', 'kinderfiets')).toEqual({
      kinderfiets: 'kids',
    })
  })
  it('do not match a word that also means the end of another option', () => {
    const equipment = { narty: 'Skis', snb: 'Snowboard', buty: 'Ski boots' }
    expect(translate(equipment, 'deska', 'Narty')).toEqual({ Narty: 'narty' })
    expect(translate({ narty: 'Skis', buty: 'Ski boots' }, 'deska')).toEqual({ deska: 'narty' })
    expect(translate({ boat: 'Boot', motor: 'Motorboot' }, 'barca')).toEqual({ barca: 'boat' })
  })
  it('match word by word, with the same numbers', () => {
    const products = { one: 'Fixed 1 year', three: 'Fixed 3 years' }
    expect(translate(products, 'Fixo 3 anos', 'Fixed 2 years', 'Fixed')).toEqual({ 'Fixo 3 anos': 'three' })
    expect(translate({ aPlus: 'A positive', aMinus: 'A negative' }, 'A pos', 'A neg.', 'B pos')).toEqual({
      ...{ 'A pos': 'aPlus', 'A neg.': 'aMinus' },
    })
  })
  it('match without the words that several options have', () => {
    const lifts = { goods: 'Goods lift', passenger: 'Passenger lift', stairs: 'Stairlift' }
    expect(translate(lifts, 'Goods only', 'Passenger', 'Lift')).toEqual({
      'Goods only': 'goods',
      Passenger: 'passenger',
    })
  })
  it('do not match without a word that is an option, a number or a negation', () => {
    expect(translate({ a: 'Teacher', b: 'Student teacher', c: 'Staff' }, 'Student')).toEqual({})
    expect(translate({ a: 'No pets', b: 'No smoking', c: 'Pets' }, 'smoking')).toEqual({})
    expect(translate({ a: 'Half board', b: 'Half day', c: 'Full board' }, 'board')).toEqual({})
  })
  it('match by the parts of compounds, and in another form', () => {
    const claims = { wrong: 'Wrong delivery', broken: 'Damaged', missing: 'Missing part' }
    expect(translate(claims, 'Falschlieferung', 'Falschfarbe')).toEqual({ Falschlieferung: 'wrong' })
    expect(translate({ cargo: 'Bakfiets', city: 'Stadsfiets' }, 'bakfietsen', 'Stadsfietsen', 'fietsen')).toEqual({
      ...{ bakfietsen: 'cargo', Stadsfietsen: 'city' },
    })
    expect(translate({ a: 'Category A (now)', b: 'Category B (later)' }, 'Cat B', 'Cat C')).toEqual({ 'Cat B': 'b' })
  })
  it('match by their consonants, if no other option has them', () => {
    const rooms = { s: 'Single', d: 'Double', t: 'Twin' }
    expect(translate(rooms, 'Sgl', 'DBL', 'Twn', 'Trpl')).toEqual({ Sgl: 's', DBL: 'd', Twn: 't' })
    expect(translate({ a: 'Booked', b: 'Baked' }, 'bkd')).toEqual({})
  })
  it('match with or without, shortened by a slash', () => {
    const flats = { with: 'Com mobília', without: 'Sem mobília' }
    expect(translate(flats, 's/ mobília', 'c/mobília', 'x/ mobília')).toEqual({
      ...{ 's/ mobília': 'without', 'c/mobília': 'with' },
    })
  })
  it('match in the other gender of a known word', () => {
    const results = { passed: 'Passed', failed: 'Failed' }
    expect(translate(results, 'promossa', 'respinta')).toEqual({ promossa: 'passed', respinta: 'failed' })
    const orders = { ok: 'Confirmed', no: 'Cancelled' }
    expect(translate(orders, 'potwierdzone', 'potwierdzono', 'confermati', 'anulowane')).toEqual({
      ...{ potwierdzone: 'ok', potwierdzono: 'ok', confermati: 'ok', anulowane: 'no' },
    })
  })
  it('match by the verb of a past participle', () => {
    const quotes = { sent: 'Invoiced', simple: 'Simplified', ok: 'Granted', no: 'Refused' }
    expect(translate(quotes, 'Facturé', 'FACTURÉE', 'semplificato', 'accordés', 'odmówiono', 'vereinfacht')).toEqual({
      ...{
        Facturé: 'sent',
        FACTURÉE: 'sent',
        semplificato: 'simple',
        accordés: 'ok',
        odmówiono: 'no',
        vereinfacht: 'simple',
      },
    })
    expect(translate({ a: 'Completed', b: 'Rejected' }, 'afgerond', 'abgelehnt', 'ukończony')).toEqual({
      ...{ afgerond: 'a', abgelehnt: 'b', ukończony: 'a' },
    })
  })
  it('do not match by a noun that only looks like a past participle, or by another known meaning', () => {
    expect(translate({ a: 'Invoiced', b: 'Ordered' }, 'Facture', 'simple')).toEqual({})
    for (const noun of ['livre', 'charge', 'note', 'date', 'facture'])
      expect(listParticipleSenses(noun, noun).size).toBe(0)
    expect(listParticipleSenses('charge', 'Chargé').size).toBeGreaterThan(0)
    expect(translate({ a: 'Won', b: 'Lost', c: 'Open' }, 'vencido', 'Vencida')).toEqual({})
    expect(translate({ a: 'Charged off', b: 'Paid off', c: 'Current' }, 'facturé')).toEqual({})
    expect(translate({ a: 'Paid', b: 'Unpaid' }, 'prestado')).toEqual({})
  })
  it('match as a typing error of another value of the column', () => {
    const reports = { light: 'Street lighting', noise: 'Noise nuisance', table: 'Table' }
    const texts = ['Straatverlichting', 'straatverlichitng', 'Geluidsoverlast', 'geluidsoverlst', 'Tisch', 'Fisch']
    expect(translate(reports, ...texts)).toEqual({
      ...{ Straatverlichting: 'light', straatverlichitng: 'light', Geluidsoverlast: 'noise', geluidsoverlst: 'noise' },
      Tisch: 'table',
    })
    expect(translate(reports, 'Tisch', 'Tsich')).toEqual({ Tisch: 'table', Tsich: 'table' })
    expect(translate(reports, 'Tsich')).toEqual({})
  })
  it('match by the beginnings of the words of another value, without small words', () => {
    const papers = { certificate: 'Certificate (certificat d’urbanisme)', permit: 'Permit' }
    expect(translate(papers, 'Certificat d’urbanisme', 'Certif. urba.', 'Perm. urb.')).toEqual({
      ...{ 'Certificat d’urbanisme': 'certificate', 'Certif. urba.': 'certificate' },
    })
  })
  it('match by a letter that another option begins with', () => {
    const levels = { 5: 'Very satisfied', 4: 'Satisfied', 2: 'Dissatisfied' }
    expect(translate(levels, 'V. satisfied', 'A. Satisfied')).toEqual({ 'V. satisfied': '5', 'A. Satisfied': '4' })
  })
  it('match by the plural of a Dutch word', () => {
    const reports = { green: 'Trees and greenery', post: 'Letters', road: 'Streets' }
    expect(translate(reports, 'Bomen', 'brieven', 'Straten', 'boven')).toEqual({
      ...{ Bomen: 'green', brieven: 'post', Straten: 'road' },
    })
    expect(translate({ a: 'Attending', b: 'Cancelled' }, 'offen', 'Offen')).toEqual({})
  })
  it('match by initials without small words, next to others', () => {
    const permits = { build: 'Building (permis de construire)', raze: 'Demolition (permis de démolir)' }
    const texts = ['Permis de construire', 'PC', 'Permis de démolir', 'PD', 'PX']
    expect(translate(permits, ...texts)).toMatchObject({ PC: 'build', PD: 'raze' })
    expect(translate(permits, ...texts)).not.toHaveProperty('PX')
  })
  it('match by their beginning and last consonants', () => {
    const parcels = { a: 'Delivered', b: 'Exception', c: 'Postponed', d: 'International' }
    expect(translate(parcels, 'Delivd', 'exceptn', 'Posted', 'Internal', 'deliver')).toEqual({
      ...{ Delivd: 'a', exceptn: 'b', deliver: 'a' },
    })
    expect(translate({ a: 'Delegated', b: 'Returned' }, 'Deleted', 'Turned')).toEqual({})
  })
  it('match by the parts of a known compound, if all of them fit', () => {
    const works = { flat: 'Flat roof', window: 'Roof windows', home: 'Home', hand: 'Hand' }
    expect(translate(works, 'Flachdach', 'Dachfenster', 'Handwerk')).toEqual({
      ...{ Flachdach: 'flat', Dachfenster: 'window' },
    })
  })
  it('do not match if two options share a meaning with the value', () => {
    expect(translate({ a: 'Oven', b: 'Furnace' }, 'forno')).toEqual({})
  })
  it('match by the beginning of another value of the column', () => {
    const trades = { gardening: 'Gardening', building: 'Building' }
    expect(translate(trades, 'Giardinaggio', 'Giard.', 'Gi.')).toEqual({
      ...{ Giardinaggio: 'gardening', 'Giard.': 'gardening', 'Gi.': 'gardening' },
    })
    expect(translate(trades, 'Giardinaggio', 'G. p.')).toEqual({ Giardinaggio: 'gardening' })
  })
})

describe('the lexicon', () => {
  const paths = LEXICON_PATHS.filter((path) => !path.endsWith('kinds.br'))
  const lines = paths.map((path) => brotliDecompressSync(readFileSync(path)).toString().trimEnd().split('\n'))

  it('is sorted, each word once, and as headers are split', () => {
    for (const list of lines) {
      const words = list.map((line) => line.slice(0, line.indexOf('\t')))
      const unsorted = words.filter((word, at) => at > 0 && Buffer.from(words[at - 1]!).compare(Buffer.from(word)) >= 0)
      expect(unsorted).toEqual([])
      const sample = words.filter((_, at) => at % 10 === 0)
      expect(sample.filter((word) => splitWords(word).join(' ') !== word)).toEqual([])
    }
  })
  it('finds the first, the last and every thousandth word', () => {
    const isListed = (_: string, at: number, list: readonly string[]) => at % 1000 === 0 || at === list.length - 1
    const sample = lines.slice(0, -1).flatMap((list) => list.filter(isListed))
    for (const [word, numbers] of sample.map((line) => line.split('\t') as [string, string]))
      expect([...listSenses(word)]).toEqual(expect.arrayContaining(numbers.split(',')))
    for (const [word, numbers] of lines
      .at(-1)!
      .filter(isListed)
      .map((line) => line.split('\t') as [string, string]))
      if (!isNoun(word)) expect([...listParticipleSenses(word, '')].join()).toBe(numbers)
    expect(listSenses('qqqq')).toEqual(new Set())
    expect(listSenses('zzzz')).toEqual(new Set())
    expect(listSenses('')).toEqual(new Set())
  })
  it('is in the packages of functions that use it', () => {
    expect(listReadFiles('values', ['lib/mapping/lexicon/lexicon.ts'])).toEqual(LEXICON_PATHS)
    expect(listReadFiles('values', ['lib/mapping/enums.ts'])).toEqual([])
  })
})
