import type { FieldDeclaration } from './build.ts'

export const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'CAD', 'AUD', 'SEK', 'DKK', 'NOK', 'PLN', 'CZK']

export const NOT_NEGATIVE = { type: 'range', config: { gte: 0 } }
export const PERCENT = { type: 'range', config: { gte: 0, lte: 100 } }
export const COUNTRY_CODE = {
  type: 'pattern',
  config: { pattern: '^[A-Za-z]{2}$', message: 'Use the two letters of the country, such as DE or US' },
}

export const ADDRESS: readonly FieldDeclaration[] = [
  ['Street', 'text'],
  ['Postal code', 'text', { alsoCalled: ['ZIP', 'ZIP code', 'Postcode'] }],
  ['City', 'text', { alsoCalled: ['Town'] }],
  ['Country', 'text', { rules: [COUNTRY_CODE], alsoCalled: ['Country code'], description: 'Two letters, such as DE' }],
]
