import { describe, expect, it } from 'vitest'
import { suggestValues } from '../../../lib/mapping/enums.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

function translate(labels: string, ...texts: string[]) {
  const options = labels.split(', ').map((value) => ({ value }))
  const { mapping } = suggestValues(texts, Field.parse({ key: 'kind', type: 'enum', config: { options } }))!
  return Object.fromEntries(mapping.map(({ sourceValue, destinationValue }) => [sourceValue, destinationValue]))
}

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
