import { describe, expect, it } from 'vitest'
import { translate } from './translate.ts'

const MEDIA = 'Electricity, Natural gas, Water, District heating'

describe('texts with one typing error', () => {
  it('mean the option that has the word in another language', () => {
    expect(translate(MEDIA, 'Stom', 'Fernwärem', 'Wsaser')).toEqual({
      ...{ Stom: 'Electricity', Fernwärem: 'District heating', Wsaser: 'Water' },
    })
    expect(translate('Dog, Cat, Rabbit', 'Hnod', 'Konjin')).toEqual({ Hnod: 'Dog', Konjin: 'Rabbit' })
    expect(translate('Painting, Plumbing, Roofing', 'Pintuar')).toEqual({ Pintuar: 'Painting' })
  })
  it('may end with two swapped letters', () => {
    expect(translate('Bordeaux, Champagne, Loire', 'Champagen')).toEqual({ Champagen: 'Champagne' })
    expect(translate('Check, Credit card, Cash', 'Chekc')).toEqual({ Chekc: 'Check' })
  })
  it('are left open if they are a word, or too short', () => {
    expect(translate('Fruit and vegetables, Meat, Fish', 'Crane')).toEqual({})
    expect(translate('Contant, Pin, Factuur', 'Constant')).toEqual({})
    expect(translate('Dog, Cat, Rabbit', 'Dgo', 'Dogx')).toEqual({})
  })
  it('are left open if they are near to words of two options', () => {
    expect(translate('Brook, Broom, Fence', 'Broo', 'Brooo')).toEqual({})
  })
})
