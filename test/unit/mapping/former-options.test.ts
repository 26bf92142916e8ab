import { describe, expect, it } from 'vitest'
import { translate } from './translate.ts'

describe('texts for what has ended', () => {
  it('mean the former of two options', () => {
    expect(translate('Member, Guest, Former', 'Ex-member', 'ehem. Mitglied', 'ancien membre', 'antiguo socio')).toEqual(
      {
        ...{ 'Ex-member': 'Former', 'ehem. Mitglied': 'Former', 'ancien membre': 'Former', 'antiguo socio': 'Former' },
      },
    )
    expect(translate('Teacher, Ehemaliger Lehrer', 'ex teacher')).toEqual({ 'ex teacher': 'Ehemaliger Lehrer' })
  })
  it('are left if they name no option, or several options are former', () => {
    expect(translate('Member, Guest, Former', 'Ex-pat', 'Export', 'old')).toEqual({})
    expect(translate('Buyer, Former buyer, Former seller', 'ex tenant')).toEqual({})
  })
})
