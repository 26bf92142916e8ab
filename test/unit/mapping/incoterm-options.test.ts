import { describe, expect, it } from 'vitest'
import { translate } from './translate.ts'

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
