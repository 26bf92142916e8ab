/** What the sample agent knows of airports: how a row is corrected and which coordinates cannot be right. Pure. */

export type Values = Readonly<Record<string, unknown>>

export interface Finding {
  field: string
  type: 'info' | 'warn' | 'error'
  message: string
}

export interface Correction {
  /** The fields that get another value; null clears one. */
  values: Record<string, string | null>
  findings: Finding[]
}

const COUNTRIES: Record<string, string> = {
  USA: 'US',
  'UNITED STATES': 'US',
  'UNITED STATES OF AMERICA': 'US',
  THAILAND: 'TH',
  PALAU: 'PW',
  'N MARIANA ISLANDS': 'MP',
  'NORTHERN MARIANA ISLANDS': 'MP',
  'FEDERATED STATES OF MICRONESIA': 'FM',
}

/** Spellings of states that are no postal codes. */
const STATES: Record<string, string> = {
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

/** How a table says that it does not know. */
const UNKNOWN = new Set(['NA', 'N/A', '-', '?'])

interface Region {
  name: string
  south: number
  north: number
  west: number
  east: number
}
const region = (name: string, south: number, north: number, west: number, east: number): Region => ({
  name,
  south,
  north,
  west,
  east,
})

/** Degrees, generous; by state where one lies apart from its country, else by country. */
const REGIONS: Record<string, Region> = {
  US: region('the United States', 24, 50, -125, -66),
  AK: region('Alaska', 51, 72, -180, -129),
  HI: region('Hawaii', 18, 29, -179, -154),
  PR: region('Puerto Rico', 17, 19, -68, -65),
  VI: region('the Virgin Islands', 17, 19, -66, -64),
  GU: region('Guam', 13, 14, 144, 146),
  CQ: region('the Northern Mariana Islands', 14, 21, 144, 147),
  AS: region('American Samoa', -15, -11, -172, -168),
  MP: region('the Northern Mariana Islands', 14, 21, 144, 147),
  TH: region('Thailand', 5, 21, 97, 106),
  PW: region('Palau', 2, 9, 131, 135),
  FM: region('Micronesia', 1, 11, 137, 164),
}

/** Corrects one row. A row that is right already gets no values and no findings. */
export function corrected(row: Values): Correction {
  const next: Record<string, string | null> = {
    ...trimmed(row),
    ...spelled(row, ['code', 'iata'], (text) => text.toUpperCase()),
    ...spelled(row, ['state'], (text) => STATES[letters(text)] ?? text.toUpperCase()),
    ...spelled(row, ['country'], (text) => COUNTRIES[letters(text)] ?? text),
  }
  for (const field of ['city', 'state']) {
    const value = next[field] ?? row[field]
    if (typeof value === 'string' && UNKNOWN.has(value.toUpperCase())) next[field] = null
  }
  const values = Object.fromEntries(Object.entries(next).filter(([field, value]) => value !== row[field]))
  return { values, findings: misplaced({ ...row, ...values }) }
}

const trimmed = (row: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([field, value]) => (typeof value === 'string' ? [[field, single(value)]] : [])),
  )

/** Without space around it, and with single spaces inside. */
const single = (text: string): string => text.trim().replace(/\s+/g, ' ')
const letters = (text: string): string => single(text.replaceAll('.', '')).toUpperCase()

function spelled(row: Values, fields: string[], spell: (text: string) => string): Record<string, string> {
  const texts = fields.flatMap((field) => {
    const value = row[field]
    return typeof value === 'string' && value.trim() !== '' ? [[field, spell(single(value))] as const] : []
  })
  return Object.fromEntries(texts)
}

/** What is wrong with the coordinates, on the field it is wrong with. */
function misplaced({ latitude, longitude, state, country }: Values): Finding[] {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return []
  const place = REGIONS[String(state ?? '')] ?? REGIONS[String(country ?? '')]
  if (!place) return []
  return [
    ...finding('latitude', latitude, place.south, place.north, place.name),
    ...finding('longitude', longitude, place.west, place.east, place.name),
  ]
}

function finding(field: string, degrees: number, least: number, most: number, name: string): Finding[] {
  if (degrees >= least && degrees <= most) return []
  const mirrored = -degrees >= least && -degrees <= most
  const hint = mirrored ? `; ${-degrees} would: has it the wrong sign?` : ''
  return [{ field, type: 'warn', message: `${degrees} does not lie in ${name} (${least} to ${most})${hint}` }]
}
