import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { edgeToRule, getUnmappedFields } from '../../../lib/mapping/edges.ts'
import { suggest } from '../../../lib/mapping/suggest.ts'
import { Plan } from '../../../schemas/programs/plan.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

const createField = (key: string, type = 'string', more: object = {}): Field => Field.parse({ key, type, ...more })
const fields = (...keys: string[]): Field[] => keys.map((key) => createField(key))

const suggestPairs = (source: Field[], destination: Field[], options = {}): string[] =>
  suggest(source, destination, options).map(
    ({ sourceField, destinationField }) => `${sourceField.key}>${destinationField.key}`,
  )

describe('suggestions by name', () => {
  it.each<[string, Record<string, string>]>([
    [
      'a CRM export',
      {
        'First Name': 'firstName',
        LAST_NAME: 'lastName',
        'E-Mail': 'email',
        'Phone No.': 'phone',
        'Mobile Phone': 'mobile',
        Company: 'organization',
        'Street Address': 'address',
        City: 'city',
        'State/Province': 'state',
        'Postal Code': 'zip',
        'Country/Region': 'country',
      },
    ],
    [
      'a German file',
      {
        Vorname: 'first_name',
        Nachname: 'last_name',
        'E-Mail-Adresse': 'email',
        Straße: 'street',
        PLZ: 'zip_code',
        Ort: 'city',
        Telefonnummer: 'phone',
        Geburtsdatum: 'date_of_birth',
        'Kundennr.': 'customer_id',
        Bemerkungen: 'notes',
      },
    ],
    [
      'a French file',
      {
        Prénom: 'first_name',
        'Nom de famille': 'last_name',
        Courriel: 'email',
        'Code postal': 'zip',
        Ville: 'city',
      },
    ],
    [
      'a Spanish file',
      {
        Nombre: 'first_name',
        Apellido: 'last_name',
        'Correo electrónico': 'email',
        'Código postal': 'zip',
        Ciudad: 'city',
      },
    ],
    [
      'an order export with misspelt words',
      {
        'Order #': 'order_number',
        'Item Number': 'sku',
        Qty: 'quantity',
        'Unit Price (EUR)': 'unit_price',
        'Date of Order': 'order_date',
        'Shipping Adress': 'shipping_address',
        'Billing Adress': 'billing_address',
      },
    ],
    [
      'an export whose table and words are shortened',
      {
        'Inspection ID': 'tbl_insp2_InspeID',
        'Inspection class': 'tbl_insp2_InspeCla',
        'Fund centre ID': 'tbl_insp2_FuCeID',
        'Fund centre name': 'tbl_insp2_FunCeNam',
        'Fire ratio': 'tbl_insp2_fr_rt',
      },
    ],
    [
      'returns with a word cut to another word',
      {
        'Date Req': 'requested_on',
        'Date Received': 'received_on',
        Notes: 'notes',
      },
    ],
  ])('maps the headers of %s', (_file, pairs) => {
    const suggested = suggestPairs(fields(...Object.keys(pairs)), fields(...Object.values(pairs)))
    expect(suggested.sort()).toEqual(
      Object.entries(pairs)
        .map((pair) => pair.join('>'))
        .sort(),
    )
  })

  it.each([
    ['email', 'email', 'absolute'],
    ['E-Mail', 'email', 'absolute'],
    ['surname', 'last_name', 'strong'],
    ['Work E-Mail', 'email', 'moderate'],
    ['Custmer Nme', 'customer_name', 'moderate'],
  ])('maps %s to %s with confidence %s', (from, to, certainty) => {
    expect(suggest(fields(from), fields(to))[0]?.metadata?.certainty).toBe(certainty)
  })

  it('reads labels and alternative names as well as keys', () => {
    const destination = [
      createField('f1', 'string', { label: 'Last name' }),
      createField('f2', 'string', { alternativeNames: ['Debitor'] }),
    ]
    expect(
      suggestPairs([createField('a', 'string', { label: 'Surname' }), createField('debitor')], destination),
    ).toEqual(['a>f1', 'debitor>f2'])
  })

  it.each([
    ['Birth Date', 'hire_date'],
    ['Order Date', 'order_id'],
    ['Colour', 'country'],
    ['Fax', 'tax'],
    ['Last Name', 'first_name'],
    ['Start Date', 'end_date'],
    ['Billing City', 'shipping_address'],
    ['Billing Address Line 1', 'Shipping Address Line 1'],
    ['Home Phone', 'work_phone'],
    ['Biodiversity (marker)', 'brand'],
  ])('does not map %s to %s', (from, to) => {
    expect(suggestPairs(fields(from), fields(to))).toEqual([])
  })

  it('maps each field to the better of two candidates', () => {
    expect(suggestPairs(fields('Email', 'Email 2', 'Work Email'), fields('email'))).toEqual(['Email>email'])
    expect(suggestPairs(fields('name'), fields('full_name', 'name'))).toEqual(['name>name'])
  })

  it('does not give up a certain pair for two doubtful ones', () => {
    expect(suggestPairs(fields('email', 'mail contact'), fields('email', 'email copy'))).toContain('email>email')
  })

  it('omits pairs below the threshold, and computed fields', () => {
    expect(suggestPairs(fields('surname'), fields('last_name'), { threshold: 0.95 })).toEqual([])
    expect(
      suggestPairs(fields('total'), [createField('total', 'number', { constraints: [{ type: 'computed' }] })]),
    ).toEqual([])
  })

  it('suggests nothing for no fields', () => {
    expect(suggest([], fields('a'))).toEqual([])
    expect(suggest(fields('a'), [])).toEqual([])
    expect(suggest(fields('???'), fields('!!!'))).toEqual([])
  })
})

describe('headers of many trades', () => {
  it.each<[string, Record<string, string>]>([
    [
      'German deliveries',
      { Abladestelle: 'unloading_place', 'Abl.-Datum': 'unloading_date', Ladestelle: 'loading_place' },
    ],
    ['Dutch stocktaking', { 'Compté/Geteld': 'counted', 'Empl./Locatie': 'location', 'Menge (Quantity)': 'quantity' }],
    ['Spanish claims', { 'F. ocurr.': 'date_of_occurrence', 'Nº Sin.': 'claim_number', 'Franq.': 'deductible' }],
    ['German machines', { Gutteile: 'good_parts', Stillstandzeit: 'downtime', Schicht: 'shift' }],
    ['Polish dogs', { 'Data szczep.': 'vaccination_date', 'Numer chipa': 'chip_number', Rasa: 'breed' }],
    ['Italian laboratories', { Campione: 'sample', Esito: 'result', 'Data prelievo': 'sampling_date' }],
    ['German rents', { 'Whg.': 'unit_number', Kaltmiete: 'base_rent', NK: 'utilities', Einzug: 'move_in_date' }],
    ['French purchases', { 'PA HT': 'Purchase price excl. tax', TVA: 'tax_rate', 'Cond.': 'pack_size' }],
    ['Brazilian invoices', { NF: 'invoice_number', CNPJ: 'tax_id', 'Pagto.': 'payment_date' }],
    ['Swedish customers', { Kund: 'customer', Adress: 'street', Anmärkning: 'notes', 'Org.nr': 'company_id' }],
    ['Danish staff', { Fornavn: 'first_name', Efternavn: 'last_name', Fødselsdato: 'birth_date', Løn: 'salary' }],
    ['Finnish members', { Etunimi: 'first_name', Sukunimi: 'last_name', Sähköposti: 'email', Puhelin: 'phone' }],
    ['Czech invoices', { Splatnost: 'due_date', Odběratel: 'customer', 'Číslo faktury': 'invoice_number' }],
    ['Turkish orders', { Müşteri: 'customer', Ürün: 'product', 'Sipariş Tarihi': 'order_date', Şehir: 'city' }],
    [
      'Spanish deliveries',
      { 'F. salida': 'dispatch_date', 'Imp. portes': 'freight_charge', 'Reemb.': 'cash_on_delivery' },
    ],
    ['German dogs', { 'Anmeld.': 'registered_on', 'Abmeld.': 'deregistered_on', Eigenanteil: 'co-payment' }],
    ['French town halls', { Pétitionnaire: 'applicant', Règlt: 'payment_method', Parcelle: 'parcel_number' }],
    ['French museums', { Artiste: 'artist', Technique: 'technique', 'Lieu de provenance': 'place_of_origin' }],
  ])('%s', (_name, expected) => {
    const found = suggestPairs(fields(...Object.keys(expected)), fields(...Object.values(expected)))
    expect(found.toSorted()).toEqual(
      Object.entries(expected)
        .map(([column, field]) => `${column}>${field}`)
        .toSorted(),
    )
  })

  it.each([
    ['Genehmigt von', 'approved_by', 'approved_on'],
    ['Signalé par', 'Reported by', 'Reported on'],
    ['Aprobado por', 'Approved by', 'Approved on'],
    ['Gemeld door', 'Reported by', 'Reported on'],
  ])('%s is a person, and not a day', (column, by, on) => {
    expect(suggestPairs(fields(column), fields(on, by))).toEqual([`${column}>${by}`])
    expect(suggestPairs(fields(column), fields(on))).toEqual([])
  })
  it.each([
    ['Approuvé le', 'Approved on', 'Approved by'],
    ['Aprobado el', 'Approved on', 'Approved by'],
    ['Gemeld op', 'Reported on', 'Reported by'],
  ])('%s is a day, and not a person', (column, on, by) => {
    expect(suggestPairs(fields(column), fields(by, on))).toEqual([`${column}>${on}`])
    expect(suggestPairs(fields(column), fields(by))).toEqual([])
  })
  it.each([
    ['Kündigungsfrist', 'Notice period', 'Contract period'],
    ['Levertijd', 'Lead time (days)', 'Delivery date'],
    ['Restbuchwert', 'Book value', 'Value date'],
    ['Saldo inicial', 'Opening balance', 'Closing balance'],
    ['Km final', 'Odometer end', 'Odometer start'],
    ['Groupe sanguin', 'Blood type', 'Customer group'],
    ['Data udienza', 'Hearing date', 'Date of birth'],
    ['Wirkstoff', 'Active ingredient', 'Active'],
    ['Garantie tot', 'Warranty until', 'Warranty'],
    ['Gwarancja do', 'Warranty until', 'Warranty'],
    ['Ważne do', 'Valid until', 'Valid from'],
    ['Est. Hrs', 'Estimated hours', 'Actual hours'],
  ])('%s is %s, and not %s', (column, field, other) => {
    expect(suggestPairs(fields(column), fields(other, field))).toEqual([`${column}>${field}`])
  })

  it('are not paired with their opposites', () => {
    expect(suggestPairs(fields('Abladedatum', 'Zielort', 'Bruttogewicht'), fields('loading_date', 'origin'))).toEqual(
      [],
    )
  })
})

describe('suggestions by values', () => {
  it('finds email addresses under a meaningless name', () => {
    const samples = new Map([['Column 3', ['ada@example.com', 'bob@example.org', 'cy@example.net']]])
    expect(suggestPairs(fields('Column 3'), fields('email'), { samples })).toEqual(['Column 3>email'])
    expect(suggestPairs(fields('Column 3'), fields('email'))).toEqual([])
  })

  it("finds an enum field's options under another name", () => {
    const destination = [
      createField('priority', 'enum', { config: { options: [{ value: 'low' }, { value: 'high' }] } }),
    ]
    const samples = new Map([['Column 1', ['Low', 'High', 'Low']]])
    expect(suggestPairs(fields('Column 1'), destination, { samples })).toEqual(['Column 1>priority'])
  })

  it('prefers the column with options, although another is named like the field', () => {
    const options = ['Under 16', 'Under 18', 'Senior'].map((value) => ({ value }))
    const samples = new Map([
      ['Class.', ['1.º', '4.º', '2.º', '1.º', '3.º']],
      ['Esc.', ['Senior', 'under 16', 'Senior', 'Under 18', 'Senior']],
    ])
    const category = createField('category', 'enum', { config: { options } })
    expect(suggestPairs(fields('Class.', 'Esc.'), [category], { samples })).toEqual(['Esc.>category'])
  })

  it('finds the phone numbers of a country by one with its code', () => {
    const texts = ['910 555 012', '+351 910 555 043', '910555078', '910 555 091', '912 555 330']
    const destination = [createField('mobile', 'string', { label: 'Telemóvel' })]
    const suggestOf = (values: string[]) =>
      suggestPairs(fields('Column 1'), destination, { samples: new Map([['Column 1', values]]) })
    expect(suggestOf(texts)).toEqual(['Column 1>mobile'])
    expect(suggestOf(texts.filter((text) => !text.startsWith('+')))).toEqual([])
  })

  it('finds states under a short name, though their codes are those of countries too', () => {
    const samples = new Map([['ST', ['VA', 'VA', 'NC', 'VA']]])
    expect(suggestPairs(fields('ST'), fields('state'), { samples })).toEqual(['ST>state'])
    expect(
      suggestPairs(fields('ST'), fields('state'), { samples: new Map([['ST', ['open', 'done', 'open']]]) }),
    ).toEqual([])
  })

  it('finds the address of a pupil for a field without a person', () => {
    const samples = new Map([['Mail alumno', ['ana@ies.example', 'bea@ies.example', 'cio@ies.example']]])
    const email = createField('email', 'string', { label: 'Correo electrónico' })
    expect(suggestPairs(fields('Mail alumno'), [email], { samples })).toEqual(['Mail alumno>email'])
  })

  it('finds the IBAN of the other party, and not that of the own account in every line', () => {
    const ibans = Array.from({ length: 9 }, (_, at) => `DE9110000000012345678${at}`)
    const columns = ['Auftragskonto', 'IBAN Gegenkonto']
    const samples = new Map([
      [columns[0]!, ibans.map(() => 'DE4470050000000123456')],
      [columns[1]!, ibans],
    ])
    expect(suggestPairs(fields(...columns), fields('iban'), { samples })).toEqual(['IBAN Gegenkonto>iban'])
  })

  it('finds the tags of assets in codes, and those of texts in words', () => {
    const suggestTag = (...tags: string[]) =>
      suggestPairs(fields('Tag'), [createField('asset_tag', 'string', { label: 'Asset tag' })], {
        samples: new Map([['Tag', tags]]),
      })
    expect(suggestTag('IT-0101', 'IT-0102', 'IT-0103')).toEqual(['Tag>asset_tag'])
    expect(suggestTag('urgent', 'new, urgent', 'old')).toEqual([])
  })

  it('finds no phone numbers in those of taxes', () => {
    const samples = new Map([['P.IVA', ['01234567890', '09876543210', '02468013579']]])
    expect(suggestPairs(fields('P.IVA'), fields('phone'), { samples })).toEqual([])
  })

  it('prefers codes to numbers below a cut word', () => {
    const samples = new Map([
      ['Nº don.', ['14', '47', '6', '31', '2', '130']],
      ['Cód. donante', ['SO-0412', 'SO-0087', 'SO-0559', 'SO-0120', 'SO-0603', 'SO-0611']],
    ])
    const destination = [createField('num', 'string', { label: 'Nº de donante' })]
    expect(suggestPairs(fields('Nº don.', 'Cód. donante'), destination, { samples })).toEqual(['Cód. donante>num'])
    expect(suggestPairs(fields('Nº don.'), destination, { samples })).toEqual(['Nº don.>num'])
  })

  it('prefers the column whose values fit the type', () => {
    const samples = new Map([
      ['Amount note', ['see mail', 'open', 'paid']],
      ['Amount gross', ['1,200.50', '99', '€ 12']],
    ])
    expect(suggestPairs(fields('Amount note', 'Amount gross'), [createField('amount', 'number')], { samples })).toEqual(
      ['Amount gross>amount'],
    )
  })

  it('leaves a required field without a column whose cells are mostly empty', () => {
    const samples = new Map([['Comments', ['', '', 'see photo', '', '']]])
    const [field, required] = [{}, { constraints: [{ type: 'required' }] }].map((more) =>
      createField('Description', 'string', more),
    )
    expect(suggestPairs(fields('Comments'), [field!], { samples })).toEqual(['Comments>Description'])
    expect(suggestPairs(fields('Comments'), [required!], { samples })).toEqual([])
  })

  it('prefers an identical name even if its values do not fit', () => {
    const samples = new Map([['amount', ['n/a', '-', 'tbd']]])
    expect(suggestPairs(fields('amount'), [createField('amount', 'number')], { samples })).toEqual(['amount>amount'])
  })
})

describe('columns and fields that are left', () => {
  const suggestFrom = (columns: Record<string, string[]>, ...destination: Field[]) =>
    suggestPairs(fields(...Object.keys(columns)), destination, { samples: new Map(Object.entries(columns)) })
  const amounts = ['R$ 10,50', 'R$ 7,00', 'R$ 1.200,00']

  it('match by the unit of the values', () => {
    const days = createField('term', 'number', { label: 'Payment term (days)' })
    const spend = createField('spend', 'number', { label: 'Spend (BRL)' })
    const columns = { 'Xq zt': ['28 dias', '30 dias', '7 dias', '30'], 'Vx wq': amounts }
    expect(suggestFrom(columns, days, spend)).toEqual(['Xq zt>term', 'Vx wq>spend'])
    expect(suggestFrom({ 'Xq zt': amounts, 'Vx wq': amounts }, spend)).toEqual([])
    expect(suggestFrom({ Discount: amounts }, createField('shipping cost (BRL)', 'number'))).toEqual([])
    const year = createField('Drink before (year)', 'number')
    expect(suggestFrom({ Emplact: ['A11-05', 'A2-06', 'A10-04'] }, year)).toEqual([])
  })
  it('match if they are the only codes, which the field requires', () => {
    const required = { constraints: [{ type: 'required' }] }
    const codes = ['NQX-0231', 'NQX-0234', 'NQX-0234']
    expect(suggestFrom({ 'N° NQX': codes }, createField('report number', 'string', required))).toEqual([
      'N° NQX>report number',
    ])
    expect(suggestFrom({ 'N° NQX': codes }, createField('report number'))).toEqual([])
    expect(suggestFrom({ 'N° NQX': codes, 'N° ZTB': codes }, createField('report number', 'string', required))).toEqual(
      [],
    )
    expect(suggestFrom({ 'Invoice number': codes }, createField('report number', 'string', required))).toEqual([])
    expect(
      suggestFrom({ 'Xom.': ['25/077', '25/078', '25/079'] }, createField('report number', 'string', required)),
    ).toEqual(['Xom.>report number'])
  })
  it('match a date to the only field of dates, unless both names are known', () => {
    const days = ['18/03/2024', '19/03/2024', '22/03/2024']
    const suggestDay = (column: string, field: string) =>
      suggestFrom({ [column]: days }, createField('x', 'date', { label: field }))
    expect(suggestDay("Req'd Date", 'Required by')).toHaveLength(1)
    expect(suggestDay('Finish', 'Due date')).toHaveLength(1)
    expect(suggestDay('Created', 'Registered on')).toHaveLength(1)
    expect(suggestDay('Date de paiement', 'Order date')).toEqual([])
    expect(suggestDay('Timestamp', 'Date of birth')).toEqual([])
    expect(suggestDay('Né(e) le', 'Sold on')).toEqual([])
  })
  it('match yes and no if their name cannot mean them otherwise', () => {
    const suggestFlag = (column: string, field: string) =>
      suggestFrom({ [column]: ['ja', 'nee', 'ja'] }, createField('x', 'boolean', { label: field }))
    expect(suggestFlag('Web', 'Sold online')).toHaveLength(1)
    expect(suggestFlag('Opt-in?', 'Consent given')).toHaveLength(1)
    expect(suggestFlag('Rückruf erwünscht', 'Callback requested')).toHaveLength(1)
    expect(suggestFlag('Newsletter', 'Case included')).toEqual([])
    const answers = ['Y', 'n/a', 'N', 'Y', 'n/a', 'On', 'Off']
    expect(suggestFrom({ 'Xq zt': answers }, createField('Disk encrypted', 'boolean'))).toHaveLength(1)
  })
  it('match by the pair of the name that they start with', () => {
    const requester = createField('requester')
    const email = createField('requesterEmail', 'string', { label: 'Requester email' })
    const columns = {
      Caller: ['Janelle Ortiz', 'Rob Feldman', 'Wes Ito'],
      'Caller Mail': ['janelle@lakes.example', 'rob@feldman.example', 'wes@ito.example'],
    }
    expect(suggestFrom(columns, requester, email)).toEqual(['Caller>requester', 'Caller Mail>requesterEmail'])
    expect(suggestFrom({ 'Chair Mail': columns['Caller Mail'] }, email)).toEqual([])
  })
  it('match amounts of money to the only price, but no counts and shares', () => {
    const price = createField('price', 'number', { label: 'Price per cycle' })
    expect(suggestFrom({ recurring_usd: ['$29.00', '$1,200.00', '$152.00'] }, price)).toEqual(['recurring_usd>price'])
    expect(suggestFrom({ Xq: ['3', '7', '3', '12'] }, price)).toEqual([])
    expect(suggestFrom({ 'Win prob.': ['20%', '50%', '12.5%'] }, createField('amount', 'number'))).toEqual([])
  })
  it('match by units in their names', () => {
    const [litres, weight] = [createField('Litres', 'number'), createField('Weight (kg)', 'number')]
    const columns = { 'Ilość (l)': ['62,95', '61,10', '70,05'], Kg: ['4.5', '5.25', '6.1'] }
    expect(suggestFrom(columns, litres, weight)).toEqual(['Ilość (l)>Litres', 'Kg>Weight (kg)'])
    expect(suggestFrom({ 'Width (cm)': ['4.5', '5.25', '6.1'] }, createField('Height (cm)', 'number'))).toEqual([])
  })
  it('match if their names are related, and no others of those left', () => {
    const texts = ['Tap dripping', 'Window board loose', 'Tap dripping']
    expect(suggestFrom({ Defect: texts }, createField('Description'))).toEqual(['Defect>Description'])
    expect(suggestFrom({ Operario: texts }, createField('Read by'))).toEqual(['Operario>Read by'])
    expect(suggestFrom({ Defect: texts, Damage: texts }, createField('Description'))).toEqual([])
    expect(suggestFrom({ Defect: texts }, createField('Description'), createField('Symptoms'))).toEqual([])
    expect(suggestFrom({ Defect: ['1.5', '2.5', '3.5'] }, createField('Description', 'date'))).toEqual([])
    expect(suggestFrom({ Ende: ['12.03.2025', '14.03.2025', '15.04.2025'], Xq: texts }, createField('Begin'))).toEqual(
      [],
    )
  })
  it('match as the first codes, if the first field is a number of the record', () => {
    const source = fields('Sigla', 'Colore')
    const samples = new Map([['Sigla', ['A1032', 'A1033', 'A1034']]])
    expect(suggestPairs(source, fields('student_number', 'remarks'), { samples })).toEqual(['Sigla>student_number'])
    expect(suggestPairs(source, fields('remarks', 'student_number'), { samples })).toEqual([])
    const others = new Map([['Sigla', ['A1032', 'A1032', 'A1034']]])
    expect(suggestPairs(source, fields('student_number', 'remarks'), { samples: others })).toEqual([])
  })
  it('match by initials with those of short words', () => {
    expect(suggestFrom({ POD: ['2024-09-03'] }, createField('Proof of delivery date', 'date'))).toHaveLength(1)
    const leave = createField('Annual leave (days)', 'number')
    expect(suggestFrom({ 'A/L': ['20', '22.5', '25 days'] }, leave)).toHaveLength(1)
    expect(suggestFrom({ 'A/B': ['20', '22.5', '25'], 'C/L': ['1', '2', '3'] }, leave)).toEqual([])
  })
  it('do not match numbers without digits, or options that differ in each row', () => {
    const words = ['full', 'morning', 'weekend', 'full', 'family']
    expect(suggestFrom({ Cuota: words }, createField('Monthly fee', 'number'))).toEqual([])
    const codes = Array.from({ length: 12 }, (_, at) => `M-${at}`)
    const plan = createField('Membership plan', 'enum', { config: { options: [{ value: 'full' }, { value: 'part' }] } })
    expect(suggestFrom({ Socio: codes }, plan)).toEqual([])
  })
  it('match by words that start as the dotted one does', () => {
    expect(suggestFrom({ 'Date dép.': ['2024-09-03'] }, createField('Date of expense', 'date'))).toHaveLength(1)
  })
  it('match if they are true or false, whatever else their name can mean', () => {
    const samples = { 'Cust.': ['sì', 'no', 'no', 'sì'] }
    expect(suggestFrom(samples, createField('case included', 'boolean'))).toEqual(['Cust.>case included'])
    expect(suggestFrom({ Newsletter: samples['Cust.'] }, createField('case included', 'boolean'))).toEqual([])
    const held = createField('Key held by us', 'boolean')
    const columns = { Schlüssel: ['ja', 'nein', 'ja'], Zyx: ['ja', 'ja', 'nein'] }
    expect(suggestFrom(columns, held, createField('Garden', 'boolean'))).toEqual([
      'Schlüssel>Key held by us',
      'Zyx>Garden',
    ])
  })
  it('match a last name under `Name` next to first names only', () => {
    expect(suggestPairs(fields('Vorname', 'Name'), fields('Nachname', 'first_name')).toSorted()).toEqual([
      'Name>Nachname',
      'Vorname>first_name',
    ])
    expect(suggestPairs(fields('Name', 'Ort'), fields('Nachname', 'first_name'))).toEqual([])
  })
  it('do not match if both names are English phrases about something else', () => {
    const key = createField('water', 'boolean', { label: 'Water key issued' })
    const signed = ['yes', 'no', 'yes', 'yes']
    expect(suggestFrom({ 'Bonfire rules signed': signed }, key)).toEqual([])
    expect(suggestFrom({ 'Klucz do wody': signed }, key)).toEqual(['Klucz do wody>water'])
  })
  it('match a price by its currency and unit', () => {
    const weight = createField('kg', 'number', { label: 'Net weight (kg)' })
    const price = createField('price', 'number', { label: 'Price per kg' })
    const columns = { 'Kg netos': ['6.300 kg', '4.970', '3.540'], '€/kg': ['0,683', '0,674', '0,562'] }
    expect(suggestFrom(columns, weight, price).toSorted()).toEqual(['Kg netos>kg', '€/kg>price'])
  })
  it('match if the name of the field says which texts mean yes', () => {
    const passed = createField('Passed', 'boolean')
    const other = createField('Retest needed', 'boolean')
    expect(suggestFrom({ Result: ['Pass', 'FAIL', 'P', 'Pass'] }, other, passed)).toEqual(['Result>Passed'])
    expect(suggestFrom({ Result: ['Pass', 'FAIL', 'P', 'Pass'] }, other)).toEqual([])
    expect(suggestFrom({ Result: ['Pass', 'n/t', '4', 'see note'] }, passed)).toEqual([])
  })
  it('are not options if they are yes and no, but may be if a letter could be either', () => {
    const createEnum = (key: string, ...values: string[]) =>
      createField(key, 'enum', { config: { options: values.map((value) => ({ value })) } })
    const paid = { Paid: ['yes', 'no', 'yes', 'yes', 'no'] }
    expect(suggestFrom(paid, createEnum('paid by', 'card', 'cash'), createField('fee paid', 'boolean'))).toEqual([
      'Paid>fee paid',
    ])
    const civil = { 'Est. civil': ['S', 'S', 'C', 'S', 'D', 'V'] }
    expect(suggestFrom(civil, createEnum('Estado civil', 'single', 'married', 'divorced', 'widowed'))).toHaveLength(1)
  })
  it('match as numbers of what the column names, if it has codes', () => {
    const codes = ['0041020', '0041033', '0041046', '0041059']
    expect(suggestFrom({ Item: codes }, createField('SKU'))).toEqual(['Item>SKU'])
    expect(suggestFrom({ Item: ['Nut M8', 'Bolt M8', 'Nut M10', 'Nail'] }, createField('SKU'))).toEqual([])
    expect(suggestFrom({ Item: ['010', '020', '030', '040'] }, createField('SKU'))).toEqual([])
    expect(suggestFrom({ Kunde: codes }, createField('customer_number'), createField('customer'))).toEqual([
      'Kunde>customer_number',
    ])
  })
  it('match as codes with more zeros than a count of the rows has', () => {
    const employee = createField('Employee number', 'string', { constraints: [{ type: 'unique' }] })
    const count = (length: number) => Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(length, '0'))
    expect(suggestFrom({ 'Cód.': count(4) }, employee)).toEqual(['Cód.>Employee number'])
    expect(suggestFrom({ Nº: count(2) }, employee)).toEqual([])
    expect(suggestFrom({ Nº: count(1) }, employee)).toEqual([])
  })
  it('match as numbers of what repeats with them', () => {
    const [client, code] = [createField('client'), createField('Client code')]
    const names = ['Ada', 'Bob', 'Ada', 'Cy']
    expect(suggestFrom({ Cliente: names, 'Cod.': ['003', '004', '003', '011'] }, code, client)).toEqual([
      'Cod.>Client code',
      'Cliente>client',
    ])
    for (const codes of [
      ['003', '004', '005', '011'],
      ['003', '004', '003', '003'],
      ['003', '003', '003', '003'],
    ])
      expect(suggestFrom({ Cliente: names, 'Cod.': codes }, code, client)).toEqual(['Cliente>client'])
  })
  it('match as companies that are customers, and not by words that a cut one can begin', () => {
    const columns = { 'Rag. soc.': ['Autofficina Bianchi', 'Caffè Torino', 'Edile Moro'] }
    expect(suggestFrom(columns, createField('client'), createField('accountant in charge'))).toEqual([
      'Rag. soc.>client',
    ])
    expect(suggestFrom(columns, createField('accountant in charge'))).toEqual([])
  })
  it('match as the only names of persons', () => {
    const columns = {
      'Xq zt': ['Bertrand, Pierre', 'D’Hérouville, Jean-Pierre', 'María Puig i Ferrer', 'J. Smith', 'Ana de la Cruz'],
      'Vx wq': ['Apple juice', 'Screws M8', 'Hammer', 'Nails', 'Tape'],
    }
    const [reader, product] = [createField('Reader name'), createField('Product name')]
    expect(suggestFrom(columns, reader)).toEqual(['Xq zt>Reader name'])
    expect(suggestFrom({ 'Vx wq': columns['Vx wq'] }, reader)).toEqual([])
    expect(suggestFrom(columns, product)).toEqual([])
  })
  it('match as the only lists, or the only codes of which none repeats', () => {
    const sports = { 'Xq zt': ['Tennis; Judo', 'Judo', 'Golf; Tennis', 'Tennis', 'Judo; Golf'] }
    expect(suggestFrom(sports, createField('Topics', 'string-list'))).toEqual(['Xq zt>Topics'])
    expect(suggestFrom({ 'Xq zt': ['a; b', 'c; d', 'e; f'] }, createField('Topics', 'string-list'))).toEqual([])
    const isUnique = [{ type: 'required' as const }, { type: 'unique' as const }]
    const number = createField('Tender number', 'string', { constraints: isUnique })
    const codes = { 'Xq AO': ['2022-0003', '2023-0004', '2023-0005'], 'Vx wq': ['10203', '10203', '10204'] }
    expect(suggestFrom(codes, number)).toEqual(['Xq AO>Tender number'])
  })
  it('match by repeated options, next to others that are rare', () => {
    const options = ['electricity', 'gas', 'water'].map((value) => ({ value }))
    const medium = createField('Medium', 'enum', { config: { options } })
    const rare = Array.from({ length: 22 }, (_, at) => `Xqz${'abcdefghijklmnopqrstuvwxyz'[at]}`)
    const often = Array.from({ length: 30 }, () => ['Strom', 'Gas', 'Wasser']).flat()
    expect(suggestFrom({ Branche: [...often, ...rare] }, medium)).toEqual(['Branche>Medium'])
    expect(suggestFrom({ Branche: ['Strom', 'Gas', ...rare] }, medium)).toEqual([])
  })
  it('match tax numbers, web addresses without a scheme and phone numbers without a zero', () => {
    const texts = {
      'Xq zt': ['FDNVSB65M05H503F', 'BPPFGV43A21G192H', 'ZRZBCN32M08A499N'],
      'Vx wq': ['slides.com/a/1', 'https://slides.com/b/2', 'N/A', 'slides.com/c/3'],
      'Zk jv': ['917517900', '+351 916 841 625', '22-057-75-99'],
    }
    const slides = createField('Deck address', 'string', { constraints: [{ type: 'url' }] })
    expect(suggestFrom(texts, createField('Tax code'), slides, createField('Client phone'))).toEqual([
      'Xq zt>Tax code',
      'Vx wq>Deck address',
      'Zk jv>Client phone',
    ])
  })
  it('match by what the names mean for numbers', () => {
    const columns = { Surface: ['63 m²', '106 m²', '41 m²'], Stock: ['3', '5', '8'] }
    const names = ['Area in m²', 'Stock value', 'Quantity in stock']
    expect(suggestFrom(columns, ...names.map((name) => createField(name, 'number')))).toEqual([
      'Surface>Area in m²',
      'Stock>Quantity in stock',
    ])
  })
  it('match no person by codes, and no mailbox of another party', () => {
    const codes = { 'Zgł.': ['000871', '000872', '000875', '000871'] }
    expect(suggestFrom(codes, createField('Reported by'))).toEqual([])
    const email = createField('Reader email', 'string', { constraints: [{ type: 'email' }] })
    const staff = { 'Agent (courriel)': ['a@bm-ville.fr', 'b@bm-ville.fr', 'a@bm-ville.fr'] }
    expect(suggestFrom(staff, email)).toEqual([])
  })
  it('match the column whose name has the same meanings before one that has some of them', () => {
    const columns = { Buchungstext: ['Gutschrift', 'Lohn'], Verwendungszweck: ['RE 2024-0118', 'Lohn März'] }
    expect(suggestFrom(columns, createField('Purpose'))).toEqual(['Verwendungszweck>Purpose'])
  })
  it('match as names of those the records are about', () => {
    const required = { constraints: [{ type: 'required' }] }
    const people = ['Maria Leite', 'Odete Reis', 'Susana Brito', 'Maria Leite', 'Tiago Sá']
    const companies = ['Tartak Sp. z o.o.', 'Okucia S.A.', 'Barwa', 'Penové s.r.o.', 'Tapicer']
    const company = createField('Company name', 'string', required)
    expect(suggestFrom({ Colaborador: people }, createField('Nome', 'string', required))).toEqual(['Colaborador>Nome'])
    expect(suggestFrom({ Name: people }, createField('Booker', 'string', required))).toEqual(['Name>Booker'])
    expect(suggestFrom({ 'Name 1': companies }, company)).toEqual(['Name 1>Company name'])
    expect(suggestFrom({ 'Nazwa dostawcy': companies }, company)).toEqual(['Nazwa dostawcy>Company name'])
    expect(suggestFrom({ Pracownik: people }, company)).toEqual([])
    expect(suggestFrom({ Employee: people }, createField('Project name', 'string', required))).toEqual([])
    expect(suggestFrom({ Klant: people, Monteur: people }, createField('Last name', 'string', required))).toEqual([])
  })
  it('match as the dates, if the other column with such a name has none', () => {
    const dates = ['11/02/2013', '30/06/2013', '05/10/2013', '23/01/2014', '17/03/2014']
    const columns = { 'Nac.': ['ESP', 'ESP', 'FRA', 'ESP', 'PER'], 'F. nac.': dates }
    expect(suggestFrom(columns, createField('Fecha de nacimiento', 'date'))).toEqual(['F. nac.>Fecha de nacimiento'])
  })
  it('match as states of the USA, and not as countries', () => {
    const state = createField('Destination state')
    expect(suggestFrom({ 'S.': ['MA', 'OH', 'TX', 'CA', 'NV'] }, state)).toEqual(['S.>Destination state'])
    expect(suggestFrom({ 'S.': ['MA', 'DE', 'IN', 'CA', 'CO'] }, state)).toEqual([])
  })
})

describe('columns between the same neighbours', () => {
  const around = {
    Email: ['ada@example.com', 'bob@example.com', 'eve@example.com'],
    Country: ['Italy', 'Spain', 'Poland'],
    City: ['Rome', 'Madrid', 'Lodz'],
    Notes: ['by post', 'by hand', 'by phone'],
  }
  const withBetween = (between: Record<string, string[]>, destination: Field[]) => {
    const { Email, Country, ...others } = around
    const columns = { Email, Country, ...between, ...others }
    return suggestPairs(fields(...Object.keys(columns)), destination, {
      samples: new Map(Object.entries(columns)),
    }).filter((pair) => Object.keys(between).some((name) => pair.startsWith(`${name}>`)))
  }
  const toFields = (...between: Field[]): Field[] => [
    ...fields('email', 'country'),
    ...between,
    ...fields('city', 'notes'),
  ]
  const texts = ['Kastor', 'Velmo', 'Brisa']

  it('match the fields left there, if the fields are in the order of the columns', () => {
    expect(withBetween({ Xqvu: texts }, toFields(createField('groomer')))).toEqual(['Xqvu>groomer'])
    expect(withBetween({ Xqvu: texts, Ztwo: texts }, toFields(createField('groomer'), createField('tank')))).toEqual([
      'Xqvu>groomer',
      'Ztwo>tank',
    ])
    expect(withBetween({ Xqvu: texts, Ztwo: texts }, toFields(createField('groomer')))).toEqual([])
    expect(withBetween({ Xqvu: texts }, fields('city', 'groomer', 'email', 'notes', 'country'))).toEqual([])
  })
  it('do not match if only some of them can, and another text field could have the column', () => {
    const between = { Xqvu: texts, Supplier: ['Ohm AG', 'Volt SE', 'Watt eG'] }
    expect(withBetween(between, toFields(createField('groomer'), createField('tank')))).toEqual([])
  })
  it('do not match if the values or the names are of another kind', () => {
    expect(withBetween({ Xqvu: texts }, toFields(createField('phone')))).toEqual([])
    expect(withBetween({ Xqvu: texts }, toFields(createField('permit number')))).toEqual([])
    expect(withBetween({ Xqvu: texts }, toFields(createField('served', 'date')))).toEqual([])
    expect(withBetween({ 'Job title': texts }, toFields(createField('groomer')))).toEqual([])
    const emails = { 'Agent email': around.Email.map((email) => `x.${email}`) }
    expect(withBetween(emails, toFields(createField('parent email')))).toEqual([])
  })
})

describe('any two sets of fields', () => {
  const names = fc.uniqueArray(
    fc.oneof(
      fc.constantFrom('email', 'E-Mail', 'name', 'zip', 'PLZ', 'city', 'Date', 'phone 1', 'phone 2'),
      fc.string({ minLength: 1, maxLength: 12 }),
    ),
    {
      maxLength: 8,
    },
  )
  const safe = (keys: string[]): Field[] => fields(...keys.filter((key) => key !== '__proto__'))

  it('are mapped one to one, and the plan lists every field on its side once', () => {
    fc.assert(
      fc.property(names, names, (from, to) => {
        const [source, destination] = [safe(from), safe(to)]
        const fieldMapping = suggest(source, destination)
        const plan = { fieldMapping, ...getUnmappedFields(fieldMapping.map(edgeToRule), { source, destination }) }
        Plan.parse(plan)
        const sources = [...plan.fieldMapping, ...plan.unmappedSourceFields].map(({ sourceField }) => sourceField.key)
        const destinations = [...plan.fieldMapping, ...plan.unmappedDestinationFields].map(
          ({ destinationField }) => destinationField.key,
        )
        expect(sources.sort()).toEqual(source.map(({ key }) => key).sort())
        expect(destinations.sort()).toEqual(destination.map(({ key }) => key).sort())
        for (const { metadata } of plan.fieldMapping) expect(metadata!.confidence).toBeGreaterThanOrEqual(0.5)
      }),
      { numRuns: 300 },
    )
  })
})
