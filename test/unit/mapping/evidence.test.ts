import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { suggest } from '../../../lib/mapping/suggest.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

const createField = (key: string, type = 'string', more: object = {}): Field => Field.parse({ key, type, ...more })
const fields = (...keys: string[]): Field[] => keys.map((key) => createField(key))

const suggestPairs = (columns: Record<string, unknown[]>, destination: Field[]): string[] =>
  suggest(fields(...Object.keys(columns)), destination, { samples: new Map(Object.entries(columns)) }).map(
    ({ sourceField, destinationField, metadata }) =>
      `${sourceField.key}>${destinationField.key} ${metadata!.confidence}`,
  )

const EMAILS = ['ada@example.com', 'bob@example.org', 'cy@example.net']
const DATES = ['2021-03-04', '31.12.2020', '1 March 2022']

describe('a column whose name says nothing', () => {
  it.each<[string, string, unknown[], number]>([
    ['e-mail addresses', 'email', EMAILS, 0.7],
    ['web addresses', 'website', ['https://a.example/x', 'www.b.example', 'http://c.example'], 0.7],
    ['IBANs', 'iban', ['DE89 3704 0044 0532 0130 00', 'FR7630006000011234567890189', 'NL91ABNA0417164300'], 0.7],
    ['phone numbers', 'phone', ['+49 30 1234567', '(0421) 9988-77', '0171/999 88 77'], 0.6],
    ['countries', 'country', ['Deutschland', 'Espagne', 'Polska'], 0.6],
    ['currencies', 'currency', ['EUR', 'USD', 'EUR'], 0.65],
    ['weights', 'weight', ['12 kg', '1,5 kg', '800 g'], 0.6],
    ['money', 'price', ['12,50 €', '$ 3', '1.200,00 EUR'], 0.55],
    [
      'UUIDs',
      'id',
      [
        'b1f4a3b2-0c1d-4e5f-8a9b-0c1d2e3f4a5b',
        '0e8400e2-9b41-41d4-a716-446655440000',
        '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
      ],
      0.55,
    ],
  ])('is found by its values: %s belong to %s', (_what, field, values, confidence) => {
    const destination = fields(field, 'city', 'subject')
    expect(suggestPairs({ 'Column 7': values }, destination)).toEqual([`Column 7>${field} ${confidence}`])
    expect(suggestPairs({ 'Column 7': values.slice(0, 2) }, destination)).toEqual([])
  })

  it('matches nothing for sure if two fields hold such values, or two columns have them', () => {
    const phones = ['+49 30 1234567', '(0421) 9988-77', '0171/999 88 77']
    expect(suggestPairs({ 'Column 1': phones }, fields('phone', 'mobile'))).toEqual([])
    expect(suggestPairs({ 'Column 1': EMAILS, 'Column 2': [...EMAILS] }, fields('email'))).toEqual([
      'Column 1>email 0.55',
    ])
  })

  it('is found for a field of the format', () => {
    const destination = [createField('kontakt', 'string', { metadata: { format: 'email' } })]
    expect(suggestPairs({ 'Column 7': EMAILS }, destination)).toEqual(['Column 7>kontakt 0.7'])
  })

  it('is not found by values that any field can hold', () => {
    expect(suggestPairs({ 'Column 1': ['CA', 'DE', 'IN'] }, fields('country'))).toEqual([])
    expect(
      suggestPairs({ 'Column 1': ['20210304', '20210305', '20210306'] }, [createField('shipped', 'date')]),
    ).toEqual([])
  })
})

it('a suggestion is more certain if the values agree with the name', () => {
  expect(suggestPairs({ 'Work e-mail': EMAILS }, fields('email'))).toEqual(['Work e-mail>email 0.92'])
  expect(suggestPairs({ 'Work e-mail': [] }, fields('email'))).toEqual(['Work e-mail>email 0.72'])
})

describe('the only column of dates left', () => {
  it('belongs to the only date field left', () => {
    expect(suggestPairs({ Stichtag: DATES, Thema: ['a', 'b', 'c'] }, [createField('effective', 'date')])).toEqual([
      'Stichtag>effective 0.55',
    ])
    expect(suggestPairs({ Datum: DATES }, [createField('ordered_on', 'date')])).toEqual(['Datum>ordered_on 0.55'])
  })

  it('belongs to none of two, and two belong to none', () => {
    expect(suggestPairs({ Stichtag: DATES }, [createField('effective', 'date'), createField('seen', 'date')])).toEqual(
      [],
    )
    expect(suggestPairs({ Stichtag: DATES, Zeitpunkt: DATES }, [createField('effective', 'date')])).toEqual([])
  })

  it('belongs to no field of another meaning', () => {
    expect(suggestPairs({ 'Birth date': DATES }, [createField('hire_date', 'date')])).toEqual([])
  })

  it('is found after the others have found theirs', () => {
    const destination = [createField('birth_date', 'date'), createField('effective', 'date')]
    expect(suggestPairs({ Stichtag: DATES, Geburtsdatum: DATES }, destination)).toEqual([
      'Geburtsdatum>birth_date 0.88',
      'Stichtag>effective 0.55',
    ])
  })

  it('belongs to a date field even if its name can be an amount', () => {
    expect(suggestPairs({ Ausgabe: DATES }, [createField('Ausgegeben am', 'date')])).toEqual([
      'Ausgabe>Ausgegeben am 0.55',
    ])
  })

  it('can be one of yes and no', () => {
    const columns = { Opt: ['ja', 'nein', 'ja'], Rank: ['1', '2', '3'] }
    expect(suggestPairs(columns, [createField('subscribed', 'boolean')])).toEqual(['Opt>subscribed 0.55'])
    const buses = { Trasporto: ['sì', 'no', 'sì'] }
    expect(suggestPairs(buses, [createField('School bus', 'boolean')])).toEqual(['Trasporto>School bus 0.55'])
  })
})

describe('a column of times', () => {
  it('belongs to the only field for times left', () => {
    const destination = [createField('start_time'), createField('note')]
    expect(suggestPairs({ Tijd: ['13:45', '08:30', '17:15'] }, destination)).toEqual(['Tijd>start_time 0.55'])
    expect(suggestPairs({ Tijd: ['morning', '08:30', 'late'] }, destination)).toEqual([])
  })
})

describe('a column of numbers', () => {
  const amounts = ['12,50 €', '3 EUR', '40']

  it('belongs to the only number field left', () => {
    expect(suggestPairs({ Xyz: amounts }, [createField('budget', 'number')])).toEqual(['Xyz>budget 0.55'])
  })

  it('belongs to no field next to another column of numbers, or if its name means something else', () => {
    expect(suggestPairs({ Xyz: amounts, Abc: amounts }, [createField('budget', 'number')])).toEqual([])
    expect(suggestPairs({ Longitude: amounts }, [createField('budget', 'number')])).toEqual([])
    expect(suggestPairs({ Xyz: ['007', '008', '010'] }, [createField('budget', 'number')])).toEqual([])
  })
})

describe('a column of surfaces', () => {
  it('belongs to the field for numbers, and not to a text that is named like it', () => {
    const destination = [
      Field.parse({ key: 'area', label: 'Preferred area', type: 'string' }),
      Field.parse({ key: 'size', label: 'Minimum size (m²)', type: 'number' }),
    ]
    const columns = { 'Área mín.': ['75 m2', '140 m2', '60', '45 m²', '1.200 m2'] }
    expect(suggestPairs(columns, destination)).toEqual(['Área mín.>size 0.8'])
  })
})

describe('a column of mobile numbers', () => {
  const numbers = ['512 345 678', '512 345 679', '512 345 670']

  it('belongs to a field for phone numbers, unless another column does', () => {
    expect(suggestPairs({ Handy: numbers }, fields('phone'))).toEqual(['Handy>phone 0.6'])
    expect(suggestPairs({ Handy: numbers, Telefon: numbers }, fields('phone'))).toEqual(['Telefon>phone 0.92'])
  })

  it('is not one for mobile numbers if its name only says phone', () => {
    expect(suggestPairs({ Telefon: numbers }, fields('mobile'))).toEqual([])
  })
})

describe('a question', () => {
  it('names its field among other words', () => {
    const columns = { 'How many nights would your guests sleep?': ['2', '3', '4'] }
    const targets = [createField('nights', 'number'), createField('price', 'number')]
    expect(suggestPairs(columns, targets)).toEqual(['How many nights would your guests sleep?>nights 0.72'])
  })
})

describe('a first name', () => {
  it.each([
    [{ Nome: [], Cognome: [] }, ['Nome>first_name 0.76', 'Cognome>last_name 0.88']],
    [{ Nome: [] }, []],
  ])('can be called a name next to a last name: %j', (columns, pairs) => {
    expect(suggestPairs(columns, fields('first_name', 'last_name'))).toEqual(pairs)
  })
})

describe('a misleading header', () => {
  it('is trusted less, and loses to the field its values belong to', () => {
    expect(suggestPairs({ Name: EMAILS }, fields('name'))).toEqual(['Name>name 0.59'])
    expect(suggestPairs({ Name: EMAILS }, fields('name', 'email'))).toEqual(['Name>email 0.7'])
    expect(suggestPairs({ 'E-Mail': ['yes', 'no', 'yes'] }, fields('email'))).toEqual(['E-Mail>email 0.59'])
  })

  it('is trusted less for names of persons that start with digits', () => {
    expect(suggestPairs({ 'Guest name': ['2', '1 adult', '3'] }, fields('guestName'))).toEqual([
      'Guest name>guestName 0.59',
    ])
    expect(suggestPairs({ 'Product name': ['2', '1 L', '3'] }, fields('productName'))).toEqual([
      'Product name>productName 0.98',
    ])
  })

  it('is trusted less for a number if it only counts the rows', () => {
    const student = [createField('number', 'string', { label: 'Student number' })]
    expect(suggestPairs({ No: ['1', '2', '3', '4', '5'] }, student)).not.toContain('No>number 1')
    expect(suggestPairs({ No: ['1', '2', '3', '4', '5'], 'Student no.': ['7', '9', '8'] }, student)).toMatchObject([
      expect.stringContaining('Student no.>number'),
    ])
    expect(suggestPairs({ No: ['1', '2', '3', '4', '5'] }, [createField('number')])).toEqual(['No>number 0.92'])
  })

  it('is trusted less for yes and no in a field for texts, and for numbers among options', () => {
    const answers = ['nein', 'ja', 'ja', 'estimated', 'n', 'nein']
    const floor = createField('floor', 'string', { label: 'Geschoss' })
    expect(suggestPairs({ 'gesch.': answers }, [floor])).toEqual([])
    expect(suggestPairs({ 'gesch.': ['EG', '1. OG', '2. OG', 'EG', 'DG', 'UG'] }, [floor])).toHaveLength(1)
    const plan = createField('plan', 'enum', {
      label: 'Tarif',
      config: { options: [{ value: 'print' }, { value: 'web' }] },
    })
    const price = createField('price', 'number', { label: 'Price (EUR)' })
    expect(suggestPairs({ Tarif: ['48,00 €', '156,00 €', '32,00 €'] }, [plan, price])[0]).toMatch(/^Tarif>price/)
    expect(suggestPairs({ Tarif: ['web', 'print', 'web'] }, [plan, price])[0]).toMatch(/^Tarif>plan/)
  })

  it('is trusted for a number that looks like those of phones', () => {
    const policy = createField('policy', 'string', { label: 'Policy number' })
    const numbers = ['0048812', '0051277', '0047730', '0060014']
    expect(suggestPairs({ 'Policy no.': numbers }, [policy])).toEqual(['Policy no.>policy 0.92'])
  })

  it('is trusted if the field holds any text', () => {
    expect(suggestPairs({ Notes: EMAILS, Contact_id: EMAILS }, fields('notes'))).toEqual(['Notes>notes 0.98'])
  })

  it('is trusted less for a unique field if its values are repeated', () => {
    const unique = [createField('code', 'string', { constraints: [{ type: 'unique' }] })]
    expect(suggestPairs({ code: ['a', 'b', 'c', 'd', 'e'] }, unique)).toEqual(['code>code 1'])
    expect(suggestPairs({ code: ['a', 'a', 'b', 'b', 'b'] }, unique)).toEqual(['code>code 0.85'])
  })
})

describe('names of fields', () => {
  it('are not a word in the middle of the label', () => {
    const note = Field.parse({ key: 'note', label: 'Delivery note number', type: 'string' })
    const columns = { 'LS-Nr.': ['LS-1', 'LS-2', 'LS-3'], Bemerkung: ['Palette', 'Sportfest', 'Rampe'] }
    expect(suggestPairs(columns, [note])).toEqual(['LS-Nr.>note 0.88'])
  })

  it.each(['weight_kg', 'Gewicht in kg', 'Peso KG'])('lack the unit at their end: %s', (name) => {
    expect(suggestPairs({ [name]: [] }, fields('weight', 'width'))).toEqual([expect.stringContaining('>weight 0.')])
  })

  it.each([
    ['Nr kl.', 'customer_number'],
    ['Bet.cond.', 'payment_terms'],
    ['Cat. prof.', 'category'],
  ])('may be abbreviated with dots: %s', (name, key) => {
    expect(suggestPairs({ [name]: [] }, fields(key, 'city'))).toEqual([expect.stringContaining(`${name}>${key} `)])
  })

  it.each([
    ['Price date', 'price'],
    ['Maiden name', 'first_name'],
    ['Landkreis', 'country'],
    ['Ortsteil', 'city'],
    ['Gehaltsdatum', 'salary'],
    ['Manager email', 'email'],
    ['E-mail du responsable', 'email'],
    ['Telefono del jefe', 'phone'],
  ])('do not belong to a field whose word only says which or whose: %s, %s', (name, key) => {
    expect(suggestPairs({ [name]: [] }, fields(key, 'notes'))).toEqual([])
  })

  it.each([
    ['Head of year email', 'parent_email'],
    ['Hausverwaltung E-Mail', 'tenant_email'],
    ['E-mail handlowca', 'buyer_email'],
    ['Planner telefoon', 'consignee_phone'],
  ])('do not belong to a field of another party, even with its values: %s, %s', (name, key) => {
    expect(suggestPairs({ [name]: ['a@b.example', 'c@d.example', 'e@f.example'] }, fields(key, 'notes'))).toEqual([])
  })

  it.each([
    ['Country code', 'country'],
    ['Customer email', 'email'],
    ['Contact email', 'email'],
    ['Work e-mail', 'email'],
    ['Date de naissance', 'birth_date'],
    ['Name of company', 'company'],
  ])('belong to a field with a word before or after its own: %s, %s', (name, key) => {
    expect(suggestPairs({ [name]: [] }, fields(key, 'notes'))).toEqual([expect.stringContaining(`${name}>${key} `)])
  })

  it('include the key of the field a reference points to', () => {
    const reference = createField('customer', 'reference', { config: { ref: 'customers', key: 'customer_no' } })
    expect(suggestPairs({ 'Customer No': [] }, [reference, createField('notes')])).toEqual([
      'Customer No>customer 0.96',
    ])
  })

  it('lack the first word that most columns share', () => {
    const columns = { stop_id: [], stop_name: [], stop_lat: [], zone: [] }
    expect(suggestPairs(columns, fields('id', 'name', 'latitude'))).toEqual([
      'stop_id>id 0.95',
      'stop_name>name 0.95',
      'stop_lat>latitude 0.84',
    ])
  })

  it('that fit two free fields equally are not suggested', () => {
    expect(suggestPairs({ City: [] }, fields('shipping_city', 'billing_city'))).toEqual([])
    expect(suggestPairs({ City: [], 'Billing city': [] }, fields('shipping_city', 'billing_city'))).toEqual([
      'City>shipping_city 0.72',
      'Billing city>billing_city 0.98',
    ])
  })
})

it('values never raise a pair above an identical name, and samples in any order give the same result', () => {
  const values = fc.array(fc.constantFrom(...EMAILS, ...DATES, 'EUR', '12 kg', '', null, 'x', 7), { maxLength: 30 })
  fc.assert(
    fc.property(values, fc.constantFrom('Name', 'email', 'Column 1', 'Datum'), (samples, header) => {
      const destination = [...fields('email', 'name', 'currency', 'weight'), createField('born', 'date')]
      const pairs = suggestPairs({ [header]: samples }, destination)
      expect(pairs.length).toBeLessThanOrEqual(1)
      expect(suggestPairs({ [header]: samples.toReversed() }, destination)).toEqual(pairs)
      for (const pair of pairs) expect(Number(pair.split(' ').at(-1))).toBeLessThanOrEqual(1)
    }),
    { numRuns: 300 },
  )
})

describe('a column whose header is in another language or short', () => {
  const enumOf = (key: string, ...values: string[]): Field =>
    Field.parse({ key, type: 'enum', config: { options: values.map((value) => ({ value })) } })

  it('is found by the options that its values mean', () => {
    const medium = enumOf('medium', 'electricity', 'gas', 'water')
    expect(suggestPairs({ Sparte: ['Strom', 'Gas', 'Wasser'], Ort: ['Kiel', 'Ulm', 'Kiel'] }, [medium])).toEqual([
      'Sparte>medium 0.55',
    ])
    expect(suggestPairs({ Sparte: ['Holz', 'Gas', 'Stein'] }, [medium])).toEqual([])
  })

  it('is an address if it has streets with numbers', () => {
    const address = Field.parse({ key: 'address', type: 'string' })
    expect(suggestPairs({ Stelle: ['Ahornstr. 14', 'Am Brink 7', 'Hafenstraße 112'] }, [address])).toEqual([
      'Stelle>address 0.55',
    ])
    expect(suggestPairs({ Platz: ['Tisch 14', 'Am Tisch 7', 'Loge 2'] }, [address])).toEqual([])
  })

  it('is found by the initials of its field', () => {
    const texts = ['TB', 'HF', 'JvL']
    const [manager, order] = ['Relationship manager', 'Lease order'].map((key) => Field.parse({ key, type: 'string' }))
    expect(suggestPairs({ RM: texts, 'LO nr': ['A1', 'A2', 'A3'] }, [manager!, order!])).toEqual([
      'RM>Relationship manager 0.66',
      'LO nr>Lease order 0.66',
    ])
  })

  it('is found by part of its name if its values have the type and no other column is as similar', () => {
    const service = Field.parse({ key: 'last_service', type: 'date' })
    const columns = { 'Laatste beurt': DATES, Naam: ['Ada', 'Bob', 'Cy'] }
    expect(suggestPairs(columns, [service])).toEqual([expect.stringMatching(/^Laatste beurt>last_service/)])
  })
})

describe('columns and fields that are left', () => {
  const createFields = (types: Record<string, string>): Field[] =>
    Object.entries(types).map(([key, type]) => Field.parse({ key, type }))
  const NAMES = ['Abbiati Marco', 'Bertolini Elena', 'Cattaneo Ugo']

  it('are paired if one is a name and the other a person', () => {
    expect(suggestPairs({ 'Cognome e nome': NAMES }, createFields({ Atleta: 'string' }))).toEqual([
      'Cognome e nome>Atleta 0.55',
    ])
    expect(suggestPairs({ 'Cognome e nome': NAMES }, createFields({ Emergenza: 'string' }))).toEqual([])
  })

  it('are paired if one is the end of a compound that is the other', () => {
    const rates = ['11,10', '8,30', '10,25']
    expect(suggestPairs({ Tarief: rates }, createFields({ Uurtarief: 'number' }))).toEqual(['Tarief>Uurtarief 0.62'])
    expect(suggestPairs({ Action: ['a', 'b', 'c'] }, createFields({ Transaction: 'string' }))).toEqual([])
  })

  it('are paired if they are the only type, and the only one of distinct codes', () => {
    const types = ['4p', '6p', '4p', 'Lodge', '6p']
    expect(suggestPairs({ Type: types }, createFields({ 'Cottage type': 'string' }))).toEqual([
      'Type>Cottage type 0.55',
    ])
    const two = createFields({ 'Cottage type': 'string', 'Payment type': 'string' })
    expect(suggestPairs({ Type: types }, two)).toEqual([])
    const number = Field.parse({ key: 'Vendor number', type: 'string', constraints: [{ type: 'unique' }] })
    expect(suggestPairs({ 'Cód.': ['000118', '000121', '000125'] }, [number])).toEqual(['Cód.>Vendor number 0.55'])
    expect(suggestPairs({ 'No.': ['1', '2', '3', '4', '5'] }, [number])).toEqual([])
  })

  it('are paired if both are the only dates, and the field has a name of no meaning', () => {
    expect(suggestPairs({ Binnen: DATES }, createFields({ 'Teruggevonden op': 'date' }))).toEqual([
      'Binnen>Teruggevonden op 0.55',
    ])
    expect(suggestPairs({ Binnen: DATES }, createFields({ birth_date: 'date' }))).toEqual([])
    expect(suggestPairs({ Binnen: DATES, Besteldatum: DATES }, createFields({ 'Teruggevonden op': 'date' }))).toEqual(
      [],
    )
  })

  it('are paired if some values mean options of no other field', () => {
    const options = ['power', 'gas', 'water', 'heat'].map((value) => ({ value }))
    const medium = Field.parse({ key: 'Utility', type: 'enum', config: { options } })
    const texts = ['Strom', 'Gas', 'Wasser', 'Q1', 'Q2', 'Strom']
    expect(suggestPairs({ Sorte: texts }, [medium])).toEqual(['Sorte>Utility 0.5'])
    expect(suggestPairs({ Sorte: texts, Gruppe: texts }, [medium])).toEqual([])
  })

  it('read `F.` before a word as a date', () => {
    const dates = createFields({ 'Start date': 'date', 'End date': 'date' })
    expect(suggestPairs({ 'F. baja': DATES, 'F. alta': DATES }, dates)).toEqual([
      'F. alta>Start date 0.76',
      'F. baja>End date 0.76',
    ])
  })

  it('are compared by the word that a dotted one begins', () => {
    const stock = createFields({ 'Inventory number': 'string' })
    expect(suggestPairs({ 'Inv.': ['0012', '0013', '0019'] }, stock)).toEqual([expect.stringMatching(/^Inv\./)])
  })

  it('are paired if one has amounts with the sign of a currency', () => {
    const amounts = ['R$ 250.000,00', 'R$ 60.000,00', 'R$ 120.000']
    expect(suggestPairs({ 'Limite créd.': amounts }, createFields({ 'Credit limit (BRL)': 'number' }))).toHaveLength(1)
    expect(suggestPairs({ Kolonne: ['K2', 'K3', 'K4'] }, createFields({ 'Cost (EUR)': 'number' }))).toEqual([])
  })

  it('are paired by a name that says more than the kind of another column', () => {
    const columns = { 'Badge printed': ['x', '', 'x', ''], 'Payment received': ['yes', 'no', 'later', 'pending'] }
    expect(suggestPairs(columns, createFields({ Paid: 'boolean' }))).not.toEqual([
      expect.stringMatching(/^Badge printed>/),
    ])
  })
})

describe('a column of other values than its name says', () => {
  const CODES = ['C-10021', 'C-10022', 'C-10024', 'C-10025', 'C-10027']

  it('is not a phone number if nearly all texts are codes', () => {
    expect(suggestPairs({ 'CONTACT #': CODES }, fields('phone'))).toEqual([])
    expect(
      suggestPairs({ 'CONTACT #': ['030 1234567', '0171 555 01', '(0421) 998877'] }, fields('phone')),
    ).toHaveLength(1)
    expect(
      suggestPairs({ 'Tel. / 06': ['06-55501101', '06 555 011 02', '030 555 0104'] }, fields('phone')),
    ).toHaveLength(1)
  })

  it('is not the number of a record if it has the names of people', () => {
    const columns = { Ref: CODES, Claimant: ['Jo Whitaker', 'Ranjit Bhogal', 'Sinead Kearns', 'Tom Ashworth', 'Al Oz'] }
    expect(suggestPairs(columns, fields('Claim ID'))).toEqual(['Ref>Claim ID 0.55'])
  })

  it('is not the key of a record if it is often empty', () => {
    const key = createField('cod', 'string', {
      ...{ label: 'Codice trattativa', constraints: [{ type: 'required' }, { type: 'unique' }] },
    })
    const references = ['AB12', 'AB15', null, 'AB21', 'AB22', 'AB24', null, 'AB30', 'AB31', null]
    const columns = { 'Rif. interno': references, 'Tratt.': references.map((_, at) => `TR-30${at}`) }
    expect(suggestPairs(columns, [key])).toEqual([expect.stringMatching(/^Tratt\./)])
  })

  it('is not the description of each record if few have such notes', () => {
    const notes = { Notes: ['call later', null, null, null, 'tax exempt', null] }
    const jobs = { Job: ['Blade sign', 'Window vinyl', 'Awning', 'Monument sign', 'Channel letters', 'Banner'] }
    expect(suggestPairs({ ...notes, ...jobs }, fields('description'))).toEqual([])
    expect(suggestPairs(notes, fields('description'))).toHaveLength(1)
  })
})

describe('a column of the names of people', () => {
  const people = ['Maria Leite', 'Odete Vilaça', 'Anatoliy Kravets', 'Susana Brito', 'Rui Sá']

  it('is paired with the only field that is called a name, if its header is such a person', () => {
    expect(suggestPairs({ Colaborador: people }, fields('Nome', 'Cidade'))).toEqual(['Colaborador>Nome 0.55'])
    expect(suggestPairs({ Colaborador: people.map(() => 'x') }, fields('Nome', 'Cidade'))).toEqual([])
  })
})

describe('two columns of dates', () => {
  it('are paired in their order across centuries', () => {
    const columns = { A: ['1.2.1998', '05.03.99', '7.8.1997'], B: ['1.2.2024', '6.3.05', '9.8.2020'] }
    const destination = [createField('Valid until', 'date'), createField('Issued on', 'date')]
    expect(suggestPairs(columns, destination)).toEqual([
      expect.stringMatching(/^B>Valid until/),
      expect.stringMatching(/^A>Issued on/),
    ])
  })
  it('are paired in their order if only the name of the last field says what it is', () => {
    const columns = {
      Date: ['2025-01-06', '2025-01-09', '1/21/2025'],
      'Good to': ['2025-02-05', '2/8/25', '3/31/2025'],
    }
    const destination = [createField('Valid until', 'date'), createField('Quote date', 'date')]
    expect(suggestPairs(columns, destination)).toEqual([
      expect.stringMatching(/^Good to>Valid until/),
      expect.stringMatching(/^Date>Quote date/),
    ])
  })
})

describe('two columns of the same amount', () => {
  it('differ by their units', () => {
    const columns = { 'Value (k€)': ['48,0', '132,5', '27,9'], 'Value (€)': ['48.000', '132.500', '27.900'] }
    const [value] = [createField('value', 'number', { label: 'Estimated value (€)' })]
    expect(suggestPairs(columns, [value!])).toEqual([expect.stringMatching(/^Value \(€\)>/)])
  })
})

describe('a column whose values cannot be what its name may say', () => {
  it('belongs to no number of it, if they are words', () => {
    const columns = {
      Nr: ['T-1', 'T-2', 'T-3', 'T-4', 'T-5'],
      Taak: ['Podium huren', 'Sponsors bellen', 'Affiches', 'Tent van 10 m huren', 'Badges drukken'],
    }
    const number = createField('Taaknummer', 'string', { constraints: [{ type: 'required' }, { type: 'unique' }] })
    expect(suggestPairs(columns, [number, createField('Omschrijving')])).toEqual([
      expect.stringMatching(/^Nr>Taaknummer/),
      expect.stringMatching(/^Taak>Omschrijving/),
    ])
  })
  it('belongs to no name, if they are codes of provinces', () => {
    const columns = { 'Ragione sociale': ['Rossi Srl', 'Verdi Snc', 'Neri Spa'], 'Prov.': ['TV', 'TN', 'MB'] }
    expect(suggestPairs(columns, fields('Supplier name'))).toEqual([
      expect.stringMatching(/^Ragione sociale>Supplier name/),
    ])
  })
  it('belongs to no required name of something else', () => {
    const name = createField('name', 'string', { label: 'Product name', constraints: [{ type: 'required' }] })
    expect(suggestPairs({ Supplier: ['Draxon', 'Bosch', 'Stihl'] }, [name])).toEqual([])
    expect(suggestPairs({ Supplier: ['Draxon', 'Bosch', 'Stihl'] }, [{ ...name, label: 'Name' }])).toEqual([
      expect.stringMatching(/^Supplier>name/),
    ])
  })
})

it('the name of a company is a required name, and that of no person', () => {
  const companies = { 'Razón Social': ['Soto S.L.', 'Guadaíra S.A.', 'Lora Hnos.'] }
  const constraints = [{ type: 'required' }]
  const [name] = [createField('name', 'string', { label: 'Nombre', constraints })]
  expect(suggestPairs(companies, [name!])).toEqual(['Razón Social>name 0.55'])
  expect(suggestPairs(companies, [{ ...name!, label: 'Full name' }])).toEqual([])
})

it('the day of work is the date of a row', () => {
  expect(suggestPairs({ 'Work date': DATES }, [createField('date', 'date')])).toEqual(['Work date>date 0.6'])
})
