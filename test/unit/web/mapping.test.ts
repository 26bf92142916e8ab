/** Changes of a plan on the mapping page. */
import { describe, expect, it } from 'vitest'
import {
  adoptPlan,
  assignTarget,
  buildPlan,
  type Edge,
  findUnmappedRequired,
  orderColumns,
  type Plan,
  toChoices,
} from '../../../web/portal/mapping/plan.ts'
import { chooseTarget } from '../../../web/portal/mapping/rank-targets.ts'
import type { Shape } from '../../../web/shared/api/shape.ts'

const TARGETS = [
  { key: 'name', label: 'Name', type: 'string', constraints: [{ type: 'required' }] },
  { key: 'born', label: 'Born', type: 'date' },
  { key: 'paid', label: 'Paid', type: 'boolean' },
]
const field = (key: string) => ({ key, type: 'string' })
const edge = (source: string, target: string, metadata: object = {}): Edge =>
  ({ sourceField: field(source), destinationField: field(target), preview: ['x'], metadata }) as Edge
const PLAN = {
  fieldMapping: [
    edge('Geboren', 'born', { certainty: 'weak' }),
    {
      ...edge('Bezahlt', 'paid', { certainty: 'strong' }),
      enumDetails: { mapping: [{ sourceValue: 'ja', destinationValue: true }] },
    },
  ],
  unmappedSourceFields: [{ sourceField: field('Kunde') }],
  unmappedDestinationFields: [],
} as unknown as Plan

const mappedIn = (choices: ReturnType<typeof toChoices>) =>
  Object.fromEntries(choices.map(({ source, target }) => [source.key, target]))

describe('the plan of a mapping page', () => {
  it('keeps the translations to yes and no when it is sent back', () => {
    const { fieldMapping } = buildPlan(toChoices(PLAN), [], TARGETS, PLAN)
    expect(fieldMapping[1]!.enumDetails?.mapping).toEqual([{ sourceValue: 'ja', destinationValue: true }])
  })

  it('swaps two columns, and restores a suggestion that is chosen again', () => {
    const swapped = assignTarget(toChoices(PLAN), 'Geboren', 'paid', true)
    expect(mappedIn(swapped)).toEqual({ Geboren: 'paid', Bezahlt: 'born', Kunde: undefined })
    const restored = assignTarget(swapped, 'Bezahlt', 'paid', true)
    expect(restored).toEqual(toChoices(PLAN))
  })

  it('takes a field from another column only for the column that asks', () => {
    const taken = assignTarget(toChoices(PLAN), 'Kunde', 'born')
    expect(mappedIn(taken)).toEqual({ Geboren: undefined, Bezahlt: 'paid', Kunde: 'born' })
    expect(taken[2]).toEqual(expect.not.objectContaining({ edge: expect.anything() }))
  })

  it('takes over the question of a pair that was chosen, once', () => {
    const choices = assignTarget(toChoices(PLAN), 'Kunde', 'born')
    const question = { about: 'day-month-order', examples: ['01/02/2021'], alternatives: [] }
    const saved = { ...PLAN, fieldMapping: [edge('Kunde', 'born', { question })] }
    const adopted = adoptPlan(choices, saved)
    expect(adopted[2]!.edge?.metadata?.question).toEqual(question)
    expect(adoptPlan(adopted, saved)).toBe(adopted)
  })

  it('sends the chosen reading with its edge', () => {
    const reading = { type: 'date' as const, orders: { '/': 'dmy' as const } }
    const [first, ...others] = toChoices(PLAN)
    const { fieldMapping } = buildPlan([{ ...first!, reading }, ...others], [], TARGETS, PLAN)
    expect(fieldMapping[0]!.metadata).toMatchObject({ certainty: 'weak', reading })
  })

  it('counts a field that a transform fills as mapped, and lists required fields first', () => {
    const transform = { type: 'constant' as const, config: { destinationField: 'name', value: 'x' } }
    expect(findUnmappedRequired(toChoices(PLAN), [], TARGETS)).toEqual([TARGETS[0]])
    expect(findUnmappedRequired(toChoices(PLAN), [transform], TARGETS)).toEqual([])
    const choices = assignTarget(toChoices(PLAN), 'Kunde', 'name')
    expect(orderColumns(choices, TARGETS)).toEqual(['Kunde', 'Geboren', 'Bezahlt'])
  })
})

describe('chooseTarget', () => {
  const sheet = (name: string, labels: string[], required: string[] = []) =>
    ({
      id: name,
      name,
      config: {
        fields: labels.map((label) => ({
          key: label.toLowerCase().replaceAll(' ', '_'),
          label,
          type: 'string',
          constraints: required.includes(label) ? [{ type: 'required' }] : [],
        })),
      },
    }) as unknown as Shape<'Sheet'>
  const customers = sheet('Customers', ['Name', 'Street', 'City', 'Email'], ['Name', 'Street', 'City', 'Email'])
  const orders = sheet('Orders', ['Order number', 'Order date', 'Amount'], ['Order number'])

  it('finds the sheet whose fields are named like the columns, not the first one', () => {
    expect(chooseTarget(sheet('export', ['ORDER-NUMBER', 'Date of order', 'amount']), [customers, orders])).toBe(orders)
  })

  it('prefers a sheet of the same name when the columns say nothing', () => {
    expect(chooseTarget(sheet('orders', ['A', 'B']), [customers, orders])).toBe(orders)
  })

  it('finds none where there is none', () => {
    expect(chooseTarget(customers, [])).toBeUndefined()
  })
})
