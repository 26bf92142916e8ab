/** What the sample agent makes of the file the demo imports. */
import { readFileSync } from 'node:fs'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { corrected, type Values } from '../../../localstack/agent/airports.ts'

const file = new URL('../../../node_modules/vega-datasets/data/airports.csv', import.meta.url)
const rows = Papa.parse<Record<string, string>>(readFileSync(file, 'utf8'), {
  header: true,
  skipEmptyLines: true,
}).data.map(
  ({ latitude, longitude, ...row }): Values => ({ ...row, latitude: Number(latitude), longitude: Number(longitude) }),
)

describe('the airports of the file', () => {
  const all = rows.map((row) => ({ row, correction: corrected(row) }))

  it('get the codes of their countries, and nothing where the file says it does not know', () => {
    const after = all.map(({ row, correction }) => ({ ...row, ...correction.values }))
    expect(new Set(after.map(({ country }: Values) => country))).toEqual(new Set(['US', 'TH', 'PW', 'MP', 'FM']))
    expect(after.filter(({ state }: Values) => state === null)).toHaveLength(12)
    expect(after.some(({ city }: Values) => city === 'NA')).toBe(false)
  })

  it('are right after one correction: the second finds nothing to change', () => {
    for (const { row, correction } of all) expect(corrected({ ...row, ...correction.values }).values).toEqual({})
  })

  it('in the Pacific have lost or gained a sign, and that is told', () => {
    const flagged = all.filter(({ correction }) => correction.findings.length > 0)
    const states = flagged.map(({ row }) => row.state)
    expect(states.toSorted()).toEqual(['AS', 'AS', 'AS', 'CQ', 'CQ', 'CQ', 'CQ', 'GU'])
    const rota = flagged.find(({ row }) => row.iata === 'GRO')!
    expect(rota.correction.findings).toEqual([
      {
        field: 'longitude',
        type: 'warn',
        message:
          '-145.2425353 does not lie in the Northern Mariana Islands (144 to 147); 145.2425353 would: has it the wrong sign?',
      },
    ])
  })
})

describe('a row', () => {
  it('is trimmed and spelled by the book', () => {
    const row = {
      code: ' jfk ',
      name: 'Kennedy  International',
      city: ' New York',
      state: 'New York',
      country: 'U.S.A.',
    }
    expect(corrected(row).values).toEqual({
      code: 'JFK',
      name: 'Kennedy International',
      city: 'New York',
      state: 'NY',
      country: 'US',
    })
  })

  it('without coordinates or with a country not on the map is left alone', () => {
    expect(corrected({ code: 'XXX', country: 'Nowhere', latitude: 0, longitude: 0 })).toEqual({
      values: {},
      findings: [],
    })
    expect(corrected({ code: null, latitude: null })).toEqual({ values: {}, findings: [] })
  })
})
