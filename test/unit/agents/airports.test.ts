/** Results of the sample agent on the file of the demo. */
import { readFileSync } from 'node:fs'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { correctRow, type Values } from '../../../examples/airports/agent/airports.ts'

const file = new URL('../../../node_modules/vega-datasets/data/airports.csv', import.meta.url)
const rows = Papa.parse<Record<string, string>>(readFileSync(file, 'utf8'), {
  header: true,
  skipEmptyLines: true,
}).data.map(
  ({ latitude, longitude, ...row }): Values => ({ ...row, latitude: Number(latitude), longitude: Number(longitude) }),
)

describe('airports of the demo file', () => {
  const all = rows.map((row) => ({ row, correction: correctRow(row) }))

  it('get their country codes, and nothing where the file declares them unknown', () => {
    const after = all.map(({ row, correction }) => ({ ...row, ...correction.values }))
    expect(new Set(after.map(({ country }: Values) => country))).toEqual(new Set(['US', 'TH', 'PW', 'MP', 'FM']))
    expect(after.filter(({ state }: Values) => state === null)).toHaveLength(12)
    expect(after.some(({ city }: Values) => city === 'NA')).toBe(false)
  })

  it('are correct after one pass: the second changes nothing', () => {
    for (const { row, correction } of all) expect(correctRow({ ...row, ...correction.values }).values).toEqual({})
  })

  it('in the Pacific are reported when their sign was lost or gained', () => {
    const flagged = all.filter(({ correction }) => correction.findings.length > 0)
    const states = flagged.map(({ row }) => row.state)
    expect(states.toSorted()).toEqual(['AS', 'AS', 'AS', 'CQ', 'CQ', 'CQ', 'CQ', 'GU'])
    const rota = flagged.find(({ row }) => row.iata === 'GRO')!
    expect(rota.correction.findings).toEqual([
      {
        field: 'longitude',
        type: 'warn',
        message:
          '-145.2425353 is outside the Northern Mariana Islands (144 to 147); 145.2425353 would be: is the sign wrong?',
      },
    ])
  })
})

describe('airport row', () => {
  it('is trimmed and normalized', () => {
    const row = {
      code: ' jfk ',
      name: 'Kennedy  International',
      city: ' New York',
      state: 'New York',
      country: 'U.S.A.',
    }
    expect(correctRow(row).values).toEqual({
      code: 'JFK',
      name: 'Kennedy International',
      city: 'New York',
      state: 'NY',
      country: 'US',
    })
  })

  it('is unchanged without coordinates or with an unknown country', () => {
    expect(correctRow({ code: 'XXX', country: 'Nowhere', latitude: 0, longitude: 0 })).toEqual({
      values: {},
      findings: [],
    })
    expect(correctRow({ code: null, latitude: null })).toEqual({ values: {}, findings: [] })
  })
})
