export const FIELDS = [
  { key: 'name', label: 'Name', type: 'string', constraints: [{ type: 'required' }] },
  { key: 'email', label: 'E-mail', type: 'string', constraints: [{ type: 'required' }, { type: 'unique' }] },
  { key: 'born', label: 'Born', type: 'date' },
  { key: 'amount', label: 'Amount', type: 'number' },
  { key: 'active', label: 'Active', type: 'boolean' },
  {
    key: 'plan',
    label: 'Plan',
    type: 'enum',
    config: {
      options: ['Basic', 'Premium', 'Enterprise'].map((value) => ({ value: value.toLowerCase(), label: value })),
    },
  },
]

const FIRST = ['Ada', 'Jürgen', 'Grace', 'Łukasz', 'Marie', 'Søren', 'Katherine', 'Renée']
const LAST = ['Lovelace', 'Müller', 'Hopper', 'Nowak', 'Curie', 'Kjær', 'Johnson', 'Dubois', 'Weiß']
const ROWS = 64

const pad = (number: number) => String(number).padStart(2, '0')

function buildRow(at: number): string {
  const [first, last] = [FIRST[at % FIRST.length]!, LAST[at % LAST.length]!]
  const [year, month, day] = [1950 + (at % 50), 1 + (at % 4), 1 + (at % 12)]
  const born = [
    `${pad(day)}/${pad(month)}/${year}`,
    `${day}. ${['Januar', 'Februar', 'März', 'April'][month - 1]} ${year}`,
    `${year}-${pad(month)}-${pad(day)}`,
    '',
  ]
  const amounts = [`1.${100 + at},50 €`, `${at},25`, `EUR ${at}`, 'k. A.']
  const yesOrNo = ['ja', 'nein', 'Ja', 'NEIN', '1', '0', 'x', '']
  const plans = ['Basic', 'premium', 'ENTERPRISE', 'Premuim', 'basic ']
  const cells = [born, amounts, yesOrNo, plans].map((values) => values[at % values.length])
  return [` ${first}  ${last}`, `kunde${at}@example.com`, ...cells].join(';')
}

const HEADER = 'Name;E-Mail-Adresse;Geburtsdatum;Betrag;Aktiv;Tarif'
const rows = Array.from({ length: ROWS }, (_, at) => buildRow(at))
export const FILE = ['Kundenliste 2024, vertraulich', '', HEADER, ...rows].join('\n')
