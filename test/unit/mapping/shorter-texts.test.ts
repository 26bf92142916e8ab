import { describe, expect, it } from 'vitest'
import { suggestValues } from '../../../lib/mapping/enums.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

function translate(label: string, labels: Record<string, string>, ...texts: string[]) {
  const options = Object.entries(labels).map(([value, label]) => ({ value, label }))
  const field = Field.parse({ key: 'kind', label, type: 'enum', config: { options } })
  const { mapping } = suggestValues(texts, field)!
  return Object.fromEntries(mapping.map(({ sourceValue, destinationValue }) => [sourceValue, destinationValue]))
}

describe('options with additions', () => {
  it('match without what the field says as well', () => {
    const levels = { low: 'Low', high: 'High' }
    expect(translate('Priority', levels, 'HIGH PRIORITY', 'low prio')).toEqual({
      ...{ 'HIGH PRIORITY': 'high', 'low prio': 'low' },
    })
    expect(translate('Team', { sales: 'Sales', it: 'IT' }, 'Sales team', 'IT department')).toEqual({
      ...{ 'Sales team': 'sales', 'IT department': 'it' },
    })
  })
  it('match a child, whatever the key of the field is', () => {
    const leaves = { sick: 'Sick leave', child: 'Sick child', paid: 'Paid leave' }
    expect(translate('Type of leave', leaves, 'Maladie', 'Enfant malade')).toEqual({
      ...{ Maladie: 'sick', 'Enfant malade': 'child' },
    })
  })
  it('match before and behind a word such as `by`', () => {
    const orders = { cancelled: 'Cancelled', returned: 'Returned', delivered: 'Delivered' }
    expect(translate('Status', orders, 'Cancelled by customer', 'Returned to sender', 'Delivered at door')).toEqual({
      ...{ 'Cancelled by customer': 'cancelled', 'Returned to sender': 'returned', 'Delivered at door': 'delivered' },
    })
    const channels = { email: 'Email', phone: 'Phone' }
    expect(translate('Channel', channels, 'via email', 'per Telefon', 'por teléfono')).toEqual({
      ...{ 'via email': 'email', 'per Telefon': 'phone', 'por teléfono': 'phone' },
    })
    const readings = { actual: 'Actual', customer: 'By customer' }
    expect(translate('Kind', readings, 'podany przez klienta', 'given by customer')).toEqual({
      ...{ 'podany przez klienta': 'customer', 'given by customer': 'customer' },
    })
  })
  it('match without the word that all options have, also with a letter twice', () => {
    const rooms = { twin: 'Twin room', double: 'Double room', single: 'Single room' }
    expect(translate('Kind', rooms, 'Twinn', 'dbl', 'doubble', 'room')).toEqual({
      ...{ Twinn: 'twin', dbl: 'double', doubble: 'double' },
    })
  })
  it('match in parentheses, unless the words before name another option or an outcome', () => {
    const tickets = { full: 'Full price', reduced: 'Reduced', free: 'Free' }
    expect(translate('Ticket', tickets, 'étudiant (réduit)', 'Invité (gratuit)')).toEqual({
      ...{ 'étudiant (réduit)': 'reduced', 'Invité (gratuit)': 'free' },
    })
    const kinds = { invoice: 'Invoice', credit: 'Credit note' }
    const others = [
      'Cancelled (invoice)',
      'not yet (invoice)',
      'Delivery (invoice?)',
      'Fax (no invoice)',
      'X (invoice)',
    ]
    expect(translate('Kind', kinds, ...others)).toEqual({})
  })
  it('do not match as nouns without the words that describe them', () => {
    const products = { milk: 'Milk', butter: 'Butter', meat: 'Meat', water: 'Water' }
    const foods = ['Coconut milk', 'lait de coco', 'Kokosmilch', 'Peanut butter', 'Meat free', 'Eau de toilette']
    expect(translate('Product', products, ...foods, 'Milk powder')).toEqual({})
    const roles = { director: 'Director', member: 'Member', president: 'President' }
    const others = ['Deputy director', 'Subdirector', 'vice president', 'Wife of member', 'stellvertretender Direktor']
    expect(translate('Role', roles, ...others)).toEqual({})
    expect(translate('Team', { sales: 'Sales' }, 'After-sales', 'Nachverkauf')).toEqual({})
    expect(translate('Diet', { vegetarian: 'Vegetarian' }, 'non-vegetarian', 'nicht vegetarisch')).toEqual({})
  })
  it('match before a dash', () => {
    const states = { paid: 'Paid', open: 'Open' }
    expect(translate('Status', states, 'Paid - thank you', 'open: see mail', 'open - paid')).toEqual({
      ...{ 'Paid - thank you': 'paid', 'open: see mail': 'open' },
    })
    expect(translate('Status', states, 'Paid - receipt missing', 'paid - not in full')).toEqual({
      'Paid - receipt missing': 'paid',
    })
  })
  it('do not match next to a word that changes the meaning', () => {
    const states = { approved: 'Approved', paid: 'Paid', proposal: 'Proposal', waiting: 'Waiting' }
    const others = ['Partly paid', 'Not yet approved', 'Approved with changes', 'Proposal rejected', 'paid 50 %']
    expect(translate('Status', states, ...others, 'half approved', 'Approval needed', 'paid/waiting')).toEqual({})
  })
  it('match one of two joined names, unless another option has it', () => {
    const trades = { windows: 'Windows and doors', roof: 'Roof' }
    expect(translate('Trade', trades, 'Türen', 'Window')).toEqual({ Türen: 'windows', Window: 'windows' })
    expect(translate('Plan', { a: 'Print only', b: 'Digital only', c: 'Print and digital' }, 'Digital')).toEqual({
      Digital: 'b',
    })
  })
})

describe('options of a field about the same', () => {
  it('match without the words of the field and the words for its kind', () => {
    const contracts = { permanent: 'Permanent contract', fixed: 'Fixed-term contract' }
    expect(translate('Contract type', contracts, 'CDD', 'unbefristet', 'contract')).toEqual({
      ...{ CDD: 'fixed', unbefristet: 'permanent' },
    })
  })
  it('match a short form of the word next to their number', () => {
    const years = { 5: 'Year 5', 6: 'Year 6', 7: 'Year 7' }
    expect(translate('Year', years, 'Yr 5', 'Y6', 'Room 7')).toEqual({ 'Yr 5': '5', Y6: '6' })
  })
  it('match both of two joined words', () => {
    const groups = { learners: 'Apprentices and students', adults: 'Adults' }
    expect(translate('Fee', groups, 'Azubis/Studenten', 'Azubis und Erwachsene')).toEqual({
      ...{ 'Azubis/Studenten': 'learners' },
    })
  })
  it('are meant by M and V as the language of the column says', () => {
    const field = Field.parse({
      ...{ key: 'gender', type: 'enum', config: { options: [{ value: 'male' }, { value: 'female' }] } },
    })
    const read = (column: string) => suggestValues(['M', 'V'], field, undefined, column)!.mapping
    expect(read('Geslacht').map(({ destinationValue }) => destinationValue)).toEqual(['male', 'female'])
    expect(read('Gesl.').map(({ destinationValue }) => destinationValue)).toEqual(['male', 'female'])
    expect(read('Sexo').map(({ destinationValue }) => destinationValue)).toEqual(['female', 'male'])
    expect(read('Gender')).toEqual([])
  })
})
