import { describe, expect, it } from 'vitest'
import { suggestValues } from '../../../lib/mapping/enums.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

function translate(options: string[], ...texts: string[]) {
  const config = { options: options.map((value) => ({ value })) }
  const { mapping } = suggestValues(texts, Field.parse({ key: 'priority', type: 'enum', config }))!
  return Object.fromEntries(mapping.map(({ sourceValue, destinationValue }) => [sourceValue, destinationValue]))
}

describe('numbered priorities', () => {
  it('count from the highest option', () => {
    expect(translate(['niedrig', 'mittel', 'hoch', 'kritisch'], 'P1', 'p4', 'Prio 2', 'P3')).toEqual({
      ...{ P1: 'kritisch', p4: 'niedrig', 'Prio 2': 'hoch', P3: 'mittel' },
    })
  })
  it('are the highest where nothing is more urgent', () => {
    expect(translate(['high', 'normal', 'low'], 'spoed', 'urgent', 'Dringend', 'hoog')).toEqual({
      ...{ spoed: 'high', urgent: 'high', Dringend: 'high', hoog: 'high' },
    })
    expect(translate(['high', 'low'], 'spoed')).toEqual({})
    expect(translate(['high', 'normal', 'later'], 'spoed')).toEqual({})
    expect(translate(['critical', 'high', 'normal', 'low'], 'low')).toEqual({ low: 'low' })
  })
  it('are not read if there are more or fewer options, or others', () => {
    expect(translate(['high', 'medium', 'low'], 'P1', 'P2', 'P4')).toEqual({})
    expect(translate(['critical', 'high', 'medium', 'low'], 'P1', 'P2', 'P3')).toEqual({})
    expect(translate(['high', 'medium', 'later'], 'P1', 'P2', 'P3')).toEqual({})
  })
})
