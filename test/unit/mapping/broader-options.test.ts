import { describe, expect, it } from 'vitest'
import { BROADER_OPTION_LISTS } from '../../../bench/mapping/option-lists-broader.ts'
import { UNSEEN_BROADER_OPTION_LISTS } from '../../../bench/mapping/option-lists-broader-unseen.ts'
import { isWrong, measureOptions } from '../../../bench/options.ts'
import { suggestValues } from '../../../lib/mapping/enums.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

function translate(labels: string, ...texts: string[]) {
  const options = labels.split(', ').map((value) => ({ value }))
  const { mapping } = suggestValues(texts, Field.parse({ key: 'kind', type: 'enum', config: { options } }))!
  return Object.fromEntries(mapping.map(({ sourceValue, destinationValue }) => [sourceValue, destinationValue]))
}

const EXPENSES = 'Transport, Meals, Accommodation, Office supplies, Other'

describe('options that are broader than a text', () => {
  it('are found in eight languages', () => {
    expect(translate(EXPENSES, 'Taxi', 'avion', 'Déjeuner', 'Desayuno', 'Pranzo', 'Ontbijt', 'Hotel')).toEqual({
      ...{ Taxi: 'Transport', avion: 'Transport', Déjeuner: 'Meals', Desayuno: 'Meals', Pranzo: 'Meals' },
      ...{ Ontbijt: 'Meals', Hotel: 'Accommodation' },
    })
    expect(translate('Möbel, Werkzeug, Kleidung', 'armchair', 'koszula', 'cadeira')).toEqual({
      ...{ armchair: 'Möbel', koszula: 'Kleidung', cadeira: 'Möbel' },
    })
  })
  it('are the nearest of several', () => {
    expect(translate('Animal, Bird, Plant', 'Eagle', 'Dog', 'Daisy')).toEqual({
      ...{ Eagle: 'Bird', Dog: 'Animal', Daisy: 'Plant' },
    })
  })
  it('are not suggested for other words of the same business', () => {
    const texts = ['Invoice', 'Bank', 'Bill', 'Note', 'Draft', 'Fine', 'Driver', 'Customer', 'Train station', 'Hotel?']
    expect(translate(EXPENSES, ...texts)).toEqual({})
  })
  it('are not suggested for words that often mean something else', () => {
    expect(translate('Bird, Fish, Mammal', 'Crane', 'Perch', 'Seal', 'Bass')).toEqual({})
    expect(translate('Furniture, Clothing, Tools', 'Bank', 'Table', 'Banco', 'Chest')).toEqual({})
  })
  it('are not suggested if two fit, or the words of an unknown one', () => {
    expect(translate('Painter, Musician, Artist, Performer', 'Violinist')).toEqual({ Violinist: 'Musician' })
    expect(translate('Athletics, Winter sport, Martial art', 'Skiing')).toEqual({})
    expect(translate('Food, Drink, Plant', 'Hotel')).toEqual({})
  })
  it('are not suggested where one option is a kind by chance', () => {
    expect(translate('Male, Female', 'Measles', 'Cancer')).toEqual({})
    expect(translate('Cash, Card, Transfer', 'Taxi', 'Jack', 'Ace')).toEqual({})
  })
  it('are meant by their labels, not by their values', () => {
    const labels = { fish: 'Sea bass', a: 'Meat', fruits: 'Fruit', food: 'Food service', v: 'Vegetables' }
    const options = Object.entries(labels).map(([value, label]) => ({ value, label }))
    const field = Field.parse({ key: 'kind', type: 'enum', config: { options } })
    expect(suggestValues(['Salmon', 'Pork', 'Apple', 'Bread'], field)!.mapping).toEqual([
      { sourceValue: 'Pork', destinationValue: 'a' },
      { sourceValue: 'Apple', destinationValue: 'fruits' },
    ])
  })
  it('are not suggested for texts with numbers or signs', () => {
    expect(translate('Bird, Fish, Mammal', 'Eagle 2', 'Eagle+', 'Eagle/Dog', 'Eagle')).toEqual({ Eagle: 'Bird' })
  })
  it.each([
    ['seen', BROADER_OPTION_LISTS],
    ['apart', UNSEEN_BROADER_OPTION_LISTS],
  ])('are right in lists of eight languages: %s', (_, lists) => {
    const outcomes = measureOptions(lists)
    const broader = outcomes.filter(({ suggested }) => suggested?.rule === 'broader')
    const isLeft = ({ suggested }: (typeof outcomes)[number]) => !suggested || suggested.rule === 'broader'
    const due = outcomes.filter((outcome) => outcome.mustBeFound && isLeft(outcome))
    const wrong = broader
      .filter(isWrong)
      .map(({ list, value, suggested }) => `${list}: ${value} as ${suggested!.option}`)
    expect(wrong.length / broader.length, wrong.join('\n')).toBeLessThanOrEqual(0.01)
    expect(broader.length / due.length).toBeGreaterThanOrEqual(0.45)
  })
})
