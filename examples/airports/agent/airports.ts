/** The sample agent's rules for airports: corrections and implausible coordinates. */

export type Values = Readonly<Record<string, unknown>>

export interface Finding {
  field: string
  type: 'info' | 'warn' | 'error'
  message: string
}

export interface Correction {
  values: Record<string, string | null>
  findings: Finding[]
}

const COUNTRY_CODES: Record<string, string> = {
  USA: 'US',
  'UNITED STATES': 'US',
  'UNITED STATES OF AMERICA': 'US',
  THAILAND: 'TH',
  PALAU: 'PW',
  'N MARIANA ISLANDS': 'MP',
  'NORTHERN MARIANA ISLANDS': 'MP',
  'FEDERATED STATES OF MICRONESIA': 'FM',
}

const STATE_CODES: Record<string, string> = {
  ALASKA: 'AK',
  CALIFORNIA: 'CA',
  CALIF: 'CA',
  FLORIDA: 'FL',
  HAWAII: 'HI',
  'NEW YORK': 'NY',
  'PUERTO RICO': 'PR',
  TEXAS: 'TX',
  TEX: 'TX',
}

const UNKNOWN_VALUES = new Set(['NA', 'N/A', '-', '?'])

interface Region {
  name: string
  south: number
  north: number
  west: number
  east: number
}
const defineRegion = (name: string, south: number, north: number, west: number, east: number): Region => ({
  name,
  south,
  north,
  west,
  east,
})

const REGIONS: Record<string, Region> = {
  US: defineRegion('the United States', 24, 50, -125, -66),
  AK: defineRegion('Alaska', 51, 72, -180, -129),
  HI: defineRegion('Hawaii', 18, 29, -179, -154),
  PR: defineRegion('Puerto Rico', 17, 19, -68, -65),
  VI: defineRegion('the Virgin Islands', 17, 19, -66, -64),
  GU: defineRegion('Guam', 13, 14, 144, 146),
  CQ: defineRegion('the Northern Mariana Islands', 14, 21, 144, 147),
  AS: defineRegion('American Samoa', -15, -11, -172, -168),
  MP: defineRegion('the Northern Mariana Islands', 14, 21, 144, 147),
  TH: defineRegion('Thailand', 5, 21, 97, 106),
  PW: defineRegion('Palau', 2, 9, 131, 135),
  FM: defineRegion('Micronesia', 1, 11, 137, 164),
}

export function correctRow(row: Values): Correction {
  const corrections: Record<string, string | null> = {
    ...trimValues(row),
    ...normalizeSpelling(row, ['code', 'iata'], (text) => text.toUpperCase()),
    ...normalizeSpelling(row, ['state'], (text) => STATE_CODES[normalizeName(text)] ?? text.toUpperCase()),
    ...normalizeSpelling(row, ['country'], (text) => COUNTRY_CODES[normalizeName(text)] ?? text),
  }
  for (const field of ['city', 'state']) {
    const value = corrections[field] ?? row[field]
    if (typeof value === 'string' && UNKNOWN_VALUES.has(value.toUpperCase())) corrections[field] = null
  }
  const values = Object.fromEntries(Object.entries(corrections).filter(([field, value]) => value !== row[field]))
  return { values, findings: checkCoordinates({ ...row, ...values }) }
}

const trimValues = (row: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([field, value]) =>
      typeof value === 'string' ? [[field, collapseSpaces(value)]] : [],
    ),
  )

const collapseSpaces = (text: string): string => text.trim().replace(/\s+/g, ' ')
const normalizeName = (text: string): string => collapseSpaces(text.replaceAll('.', '')).toUpperCase()

function normalizeSpelling(row: Values, fields: string[], normalize: (text: string) => string): Record<string, string> {
  const texts = fields.flatMap((field) => {
    const value = row[field]
    return typeof value === 'string' && value.trim() !== '' ? [[field, normalize(collapseSpaces(value))] as const] : []
  })
  return Object.fromEntries(texts)
}

function checkCoordinates({ latitude, longitude, state, country }: Values): Finding[] {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return []
  const bounds = REGIONS[String(state ?? '')] ?? REGIONS[String(country ?? '')]
  if (!bounds) return []
  return [
    ...checkCoordinate('latitude', latitude, bounds.south, bounds.north, bounds.name),
    ...checkCoordinate('longitude', longitude, bounds.west, bounds.east, bounds.name),
  ]
}

function checkCoordinate(field: string, degrees: number, min: number, max: number, name: string): Finding[] {
  if (degrees >= min && degrees <= max) return []
  const mirrored = -degrees >= min && -degrees <= max
  const hint = mirrored ? `; ${-degrees} would be: is the sign wrong?` : ''
  return [{ field, type: 'warn', message: `${degrees} is outside ${name} (${min} to ${max})${hint}` }]
}
