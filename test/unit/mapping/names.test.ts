import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findAbbreviated, isAbbreviation, isShortenedName, splitCompound } from '../../../lib/mapping/abbreviations.ts'
import { parseName } from '../../../lib/mapping/names.ts'
import { suggest } from '../../../lib/mapping/suggest.ts'
import { splitWords } from '../../../lib/mapping/tokenize.ts'
import vocabulary from '../../../lib/mapping/vocabulary.json' with { type: 'json' }
import { LANGUAGES } from '../../../lib/values/languages.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

const fields = (...keys: string[]): Field[] => keys.map((key) => Field.parse({ key, type: 'string' }))

const TARGET = fields(
  ...['first_name', 'last_name', 'email', 'phone', 'address', 'postal_code', 'city', 'country', 'birth_date'],
  ...['customer_number', 'invoice_number', 'quantity', 'unit_price', 'hire_date', 'notes'],
)
const suggestField = (header: string): string | undefined => suggest(fields(header), TARGET)[0]?.destinationField.key

it('an amount with or without tax is still an amount', () => {
  const [total, net, tax] = ['total amount', 'net amount', 'tax'].map((name) => parseName(name).meanings)
  for (const name of ['Total con IVA', 'Importe con IVA', 'Montant avec TVA', 'Bedrag met btw', 'Kwota z VAT'])
    expect([name, parseName(name).meanings]).toEqual([name, total])
  for (const name of ['Montant sans TVA', 'Kwota bez VAT'])
    expect([name, parseName(name).meanings]).toEqual([name, net])
  expect(parseName('Total IVA').meanings).toEqual(tax)
})

it('a word that only begins like a currency stays one word', () => {
  expect(parseName('Eural code').rawWords).toEqual(['eural', 'code'])
  expect(parseName('€ al mese').rawWords).toEqual(['price', 'per', 'mese'])
})

it('a number after an unknown word is split off', () => {
  expect(splitCompound('framenr')).toEqual(['frame', 'nr'])
  expect(splitCompound('framenummer')).toEqual(['frame', 'nummer'])
  expect(suggest(fields('framenr'), fields('framenummer', 'artikelnummer'))[0]?.destinationField.key).toBe(
    'framenummer',
  )
})

describe('headers', () => {
  it.each([
    ['Gebdat', 'birth_date'],
    ['dob', 'birth_date'],
    ['D.O.B.', 'birth_date'],
    ['F.NAC.', 'birth_date'],
    ['Notas (R$)', 'notes'],
    ['Tel.', 'phone'],
    ['PLZ', 'postal_code'],
    ['Rg-Nr', 'invoice_number'],
    ['qty', 'quantity'],
    ['Q.tà', 'quantity'],
    ['addr1', 'address'],
    ['cust no', 'customer_number'],
    ['n° client', 'customer_number'],
    ['Kdnr.', 'customer_number'],
    ['inv nbr', 'invoice_number'],
    ['cntry', 'country'],
  ])('are understood if abbreviated: %s is %s', (header, field) => {
    expect(suggestField(header)).toBe(field)
  })

  it.each([
    ['Date of birth of the customer', 'birth_date'],
    ['What is your e-mail?', 'email'],
    ['Bitte geben Sie Ihre Telefonnummer an', 'phone'],
    ['Code postal de la ville', 'postal_code'],
    ['¿En qué país vive usted?', 'country'],
    ['Data di assunzione del dipendente', 'hire_date'],
    ['In welke stad woont u?', 'city'],
    ['Qual é o seu sobrenome?', 'last_name'],
    ['Data urodzenia pracownika', 'birth_date'],
  ])('are understood as phrases: %s is %s', (header, field) => {
    expect(suggestField(header)).toBe(field)
  })

  it.each([
    ['de', ['Rechnungsnummer', 'Stückpreis', 'Eintrittsdatum']],
    ['fr', ['Numéro de la facture', 'Prix unitaire', "Date d'embauche"]],
    ['es', ['Número de factura', 'Precio unitario', 'Fecha de contratación']],
    ['it', ['Numero fattura', 'Prezzo unitario', 'Data di assunzione']],
    ['nl', ['Factuurnummer', 'Prijs per stuk', 'Datum in dienst']],
    ['pt', ['Número da fatura', 'Preço unitário', 'Data de admissão']],
    ['pl', ['Numer faktury', 'Cena jednostkowa', 'Data zatrudnienia']],
  ])('are translated word by word from %s', (_language, headers) => {
    expect(headers.map(suggestField)).toEqual(['invoice_number', 'unit_price', 'hire_date'])
  })

  it.each(['Port', 'Message', 'Valid', 'Nationality', 'Form', 'Casino', 'Kostenstelle', 'Password'])(
    'match nothing if the sheet lacks their field: %s',
    (header) => {
      expect(suggestField(header)).toBeUndefined()
    },
  )
})

describe('an abbreviation', () => {
  it.each([
    ['dept', 'department'],
    ['qty', 'quantity'],
    ['mgr', 'manager'],
    ['prc', 'price'],
    ['cust', 'customer'],
  ])('%s stands for %s', (short, long) => {
    expect(isAbbreviation(short, long)).toBe(true)
    expect(findAbbreviated(short)).toContain(long)
  })

  it('has the first letter of its word and the other letters in order', () => {
    const word = fc.stringMatching(/^[a-z]{1,10}$/)
    fc.assert(
      fc.property(word, word, (short, long) => {
        if (isAbbreviation(short, long)) expect(long).toMatch(new RegExp(`^${[...short].join('.*')}`))
      }),
    )
  })
})

it.each([
  ['FisYe', 'Fiscal year', true],
  ['gncd', 'Agency ID', true],
  ['OrdRegNam', 'Order region name', true],
  ['FisYe', 'Fiscal quarter', false],
  ['NameOrd', 'Order name', false],
  ['Fy', 'Fiscal year', false],
])('%s as the short form of %s: %s', (short, long, expected) => {
  expect(isShortenedName(parseName(short), parseName(long))).toBe(expected)
})

it.each([
  ['auftragspreis', ['auftrag', 'preis']],
  ['klantgewicht', ['klant', 'gewicht']],
  ['emailid', ['email', 'id']],
  ['message', ['message']],
  ['datum', ['datum']],
])('the parts of %s are %j', (word, parts) => {
  expect(splitCompound(word)).toEqual(parts)
})

describe('the vocabulary', () => {
  it('is sorted and has the eight languages', () => {
    const { fillers, meanings, words } = vocabulary
    const lists = [Object.keys(meanings), Object.keys(words), ...Object.values(meanings), ...Object.values(fillers)]
    for (const list of lists) expect(list).toEqual([...new Set(list)].sort())
    expect(Object.keys(fillers).sort()).toEqual([...LANGUAGES].sort())
    for (const translations of Object.values(words))
      for (const language of Object.keys(translations)) expect(LANGUAGES).toContain(language)
  })

  it('has single words as the reader of headers splits them', () => {
    const all = Object.values(vocabulary.words).flatMap((translations) => Object.values(translations).flat())
    expect(all.filter((word) => splitWords(word).join(' ') !== word || word.includes(' '))).toEqual([])
  })

  it('has words in capitals that are not split at a letter without a plain form', () => {
    expect(['CZĘŚĆ ZAPŁACONA', 'TØMRER', 'Kwota NettoZł'].map((name) => splitWords(name).join(' '))).toEqual([
      'czesc zaplacona',
      'tomrer',
      'kwota netto zl',
    ])
  })

  it('has names of words that the reader of headers produces', () => {
    for (const name of Object.values(vocabulary.meanings).flat())
      expect(splitWords(name).length, name).toBeGreaterThan(0)
  })
})
