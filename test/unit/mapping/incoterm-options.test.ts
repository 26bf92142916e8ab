import { describe, expect, it } from 'vitest'
import { suggestValues } from '../../../lib/mapping/enums.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

function translate(labels: string, ...texts: string[]) {
  const options = labels.split(', ').map((value) => ({ value }))
  const { mapping } = suggestValues(texts, Field.parse({ key: 'terms', type: 'enum', config: { options } }))!
  return Object.fromEntries(mapping.map(({ sourceValue, destinationValue }) => [sourceValue, destinationValue]))
}

describe('Incoterms with a place', () => {
  it('are the option of their code', () => {
    expect(translate('EXW, FCA, DAP', 'EXW Hamburg', 'FCA Köln (Lager 2)', 'Incoterms 2020: DAP', 'EXW')).toEqual({
      ...{ 'EXW Hamburg': 'EXW', 'FCA Köln (Lager 2)': 'FCA', 'Incoterms 2020: DAP': 'DAP', EXW: 'EXW' },
    })
  })
  it('are the option that says the same in words', () => {
    expect(translate('Ab Werk, Franco transporteur, Free on board', 'EXW Lyon', 'FCA Paris', 'FOB Shanghai')).toEqual({
      ...{ 'EXW Lyon': 'Ab Werk', 'FCA Paris': 'Franco transporteur', 'FOB Shanghai': 'Free on board' },
    })
  })
  it('are left if another term or place is meant', () => {
    expect(translate('EXW, FCA, DAP', 'EXW oder FCA', 'FCA/DAP Köln', 'EXW + Fracht', 'CPT Lyon', 'Dap Paris')).toEqual(
      {},
    )
    expect(translate('EXW Hamburg, EXW Bremen, DAP', 'EXW Rotterdam')).toEqual({})
  })
})
