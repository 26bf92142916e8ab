import { describe, expect, it } from 'vitest'
import { subjects } from '../../../lib/mapping/everyday-options.ts'
import { compact } from '../../../lib/mapping/tokenize.ts'
import { translate } from './translate.ts'

describe('options of everyday lists', () => {
  it('are found by the names of their entries before narrower words', () => {
    const reasons = 'Changed mind, Defective, Wrong item'
    expect(translate(reasons, 'no le gusta')).toEqual({ 'no le gusta': 'Changed mind' })
    expect(translate(`${reasons}, Does not like it`, 'no le gusta')).toEqual({ 'no le gusta': 'Does not like it' })
    expect(translate('Proprietà, Noleggio, Leasing', 'NLT')).toEqual({ NLT: 'Noleggio' })
  })
  it('are found without the sizes of containers', () => {
    expect(translate('Kasten, Fass, Dose', 'Kasten 20 x 0,5', 'KEG 30 l', '12er Kasten 0,33')).toEqual({
      ...{ 'Kasten 20 x 0,5': 'Kasten', 'KEG 30 l': 'Fass', '12er Kasten 0,33': 'Kasten' },
    })
    expect(translate('Windows, Doors', 'Windows 11', '2 Windows')).toEqual({})
  })
  it('are found by narrower words and brands', () => {
    expect(
      translate('Transport, Meals, Mileage, Hotel', 'Train', 'Péage', 'peaje', 'obiad', 'IK (véhicule perso)'),
    ).toEqual({
      ...{ Train: 'Transport', Péage: 'Transport', peaje: 'Transport', obiad: 'Meals' },
      'IK (véhicule perso)': 'Mileage',
    })
    expect(translate('Kurier, Post, Spedition, Abholung', 'DHL', 'PostNL', 'odbiór własny')).toEqual({
      ...{ DHL: 'Kurier', PostNL: 'Post', 'odbiór własny': 'Abholung' },
    })
  })
  it('are found by the names of goods, treatments and covers', () => {
    expect(translate('Rotwein, Weißwein, Roséwein, Schaumwein', 'Barolo', 'Verdejo', 'Prosecco')).toEqual({
      ...{ Barolo: 'Rotwein', Verdejo: 'Weißwein', Prosecco: 'Schaumwein' },
    })
    expect(translate('Third party, Partial cover, Comprehensive', 'Teilkasko', 'todo riesgo', 'OC')).toEqual({
      ...{ Teilkasko: 'Partial cover', 'todo riesgo': 'Comprehensive', OC: 'Third party' },
    })
    expect(translate('Chair, Vice chair, Treasurer', '1. Vorsitzende', '2. Vorsitzende', 'skarbnik')).toEqual({
      ...{ '1. Vorsitzende': 'Chair', '2. Vorsitzende': 'Vice chair', skarbnik: 'Treasurer' },
    })
  })
  it('are found by narrower words that others of the list could mean', () => {
    expect(translate('Tops, Trousers, Dresses, Shoes', 'Krawatte', 'jeans', 'sciarpe', 'Pullover')).toEqual({
      ...{ jeans: 'Trousers', Pullover: 'Tops' },
    })
    expect(translate('Paid, Open, Overdue, Refunded', 'niezapłacone', 'aanmaning', 'chargeback')).toEqual({
      ...{ niezapłacone: 'Open', aanmaning: 'Overdue', chargeback: 'Refunded' },
    })
    expect(translate('North, South, East, West', 'SW', 'Südseite', 'a leste')).toEqual({
      ...{ Südseite: 'South', 'a leste': 'East' },
    })
  })
  it('are found by the person who does the work, and by words of one trade', () => {
    expect(translate('Internal medicine, Dermatology, Dentistry', 'Dermatolog', 'tandarts', 'Internista')).toEqual({
      ...{ Dermatolog: 'Dermatology', tandarts: 'Dentistry', Internista: 'Internal medicine' },
    })
    expect(translate('Summer, Winter, All-season', 'So', 'WR', 'Ganzj.', '4 saisons')).toEqual({
      ...{ So: 'Summer', WR: 'Winter', 'Ganzj.': 'All-season', '4 saisons': 'All-season' },
    })
    expect(translate('Yearly, Half-yearly, Every two years', '1x jährlich', '2x jährlich', 'alle 2 Jahre')).toEqual({
      ...{ '1x jährlich': 'Yearly', '2x jährlich': 'Half-yearly', 'alle 2 Jahre': 'Every two years' },
    })
    expect(translate('Employer, Red, Blue', 'Entreprise')).toEqual({})
  })
  it('are found by the letters of sizes in another language', () => {
    expect(translate('Small, Medium, Large, Extra large', 'P', 'M', 'G', 'GG')).toEqual({
      ...{ P: 'Small', M: 'Medium', G: 'Large', GG: 'Extra large' },
    })
    expect(translate('Low, Medium, High', 'P', 'G')).toEqual({})
  })
  it('are found by words that a sign joins', () => {
    expect(translate('Electricity, Gas, Dual fuel', 'Luce+Gas', 'Strom + Gas', 'Luce+Wasser')).toEqual({
      ...{ 'Luce+Gas': 'Dual fuel', 'Strom + Gas': 'Dual fuel' },
    })
    expect(translate('Electricity, Gas, Water', 'Luce+Gas')).toEqual({})
    expect(translate('B – Car, BE – Car with trailer, A1 – Light motorcycle', 'B+E', 'BE+')).toEqual({
      'B+E': 'BE – Car with trailer',
    })
    expect(translate('AB, A, B', 'A + B', 'A+')).toEqual({ 'A + B': 'AB' })
  })
  it('are found by what ends the work where no other option does', () => {
    expect(translate('New, In progress, Waiting, Resolved, Rejected', 'zamknięte')).toEqual({ zamknięte: 'Resolved' })
    expect(translate('Open, In progress, Closed', 'resuelta', 'closed')).toEqual({
      ...{ resuelta: 'Closed', closed: 'Closed' },
    })
    expect(translate('Open, In progress, Resolved, Closed', 'resuelta', 'zamknięte')).toEqual({
      ...{ resuelta: 'Resolved', zamknięte: 'Closed' },
    })
    expect(translate('Ground floor, 1st floor, 2nd floor', '1. OG', '2.º', '12.º')).toEqual({
      ...{ '1. OG': '1st floor', '2.º': '2nd floor' },
    })
  })
  it('are found in the lists of sports, schools, kitchens and laboratories', () => {
    expect(translate('Sprint, Hurdles, Long jump, Relay', '100 m', 'płotki', 'Weit', '4 x 400 m')).toEqual({
      ...{ '100 m': 'Sprint', płotki: 'Hurdles', Weit: 'Long jump', '4 x 400 m': 'Relay' },
    })
    expect(translate('English, Physics, History', 'LV1 Anglais', 'Physique', 'j. angielski')).toEqual({
      ...{ 'LV1 Anglais': 'English', Physique: 'Physics', 'j. angielski': 'English' },
    })
    expect(translate('Starter, Main course, Dessert', '2º plato', 'Para empezar', 'toetje')).toEqual({
      ...{ '2º plato': 'Main course', 'Para empezar': 'Starter', toetje: 'Dessert' },
    })
    expect(translate('Blood, Urine, Stool, Tissue', 'EDTA blood', 'ECBU', 'ontlasting', 'biopsja')).toEqual({
      ...{ 'EDTA blood': 'Blood', ECBU: 'Urine', ontlasting: 'Stool', biopsja: 'Tissue' },
    })
    expect(translate('Tablets, Creme, Drops, Ointment', 'Salbe', 'Filmtablette', 'crema')).toEqual({
      ...{ Salbe: 'Ointment', Filmtablette: 'Tablets', crema: 'Creme' },
    })
  })
  it('are found in the lists of marketing, devices, buildings and animals', () => {
    expect(translate('Email, Social media, Paid search', 'E-blast', 'FB', 'PPC', 'Google Ads')).toEqual({
      ...{ 'E-blast': 'Email', FB: 'Social media', PPC: 'Paid search', 'Google Ads': 'Paid search' },
    })
    expect(translate('Planned, Live, Finished, Cancelled', 'Draft', 'Active', 'afgerond')).toEqual({
      ...{ Draft: 'Planned', Active: 'Live', afgerond: 'Finished' },
    })
    expect(translate('Draft, Scheduled, Live, Finished', 'Entwurf', 'geplant')).toEqual({
      ...{ Entwurf: 'Draft', geplant: 'Scheduled' },
    })
    expect(translate('Laptop, Monitor, Network equipment', 'Switch', 'Router')).toEqual({
      ...{ Switch: 'Network equipment', Router: 'Network equipment' },
    })
    expect(translate('School, Office, Sports hall', 'Grundschule', 'Verwaltung', 'Gymnasium')).toEqual({
      ...{ Grundschule: 'School', Verwaltung: 'Office' },
    })
    expect(translate('Male, Female', 'steer', 'ewe')).toEqual({ steer: 'Male', ewe: 'Female' })
    expect(translate('Male, Female, Castrated', 'steer', 'ewe')).toEqual({ steer: 'Castrated', ewe: 'Female' })
  })
  it('are found in the lists of printing, driving, travel, payroll and dunning', () => {
    expect(translate('Stapled, Perfect bound, Folded', 'PUR', 'geniet', 'Wickelfalz')).toEqual({
      ...{ PUR: 'Perfect bound', geniet: 'Stapled', Wickelfalz: 'Folded' },
    })
    expect(translate('Theory, Driving lesson, Motorway', 'Autobahnfahrt', 'code de la route', 'rijles')).toEqual({
      ...{ Autobahnfahrt: 'Motorway', 'code de la route': 'Theory', rijles: 'Driving lesson' },
    })
    expect(translate('Meals, Hotel, Per diem, Tolls', 'dieta', 'telepass', 'nocleg')).toEqual({
      ...{ dieta: 'Per diem', telepass: 'Tolls', nocleg: 'Hotel' },
    })
    expect(translate('Base salary, Overtime, Sick pay', 'nadgodziny', 'IJSS', 'Lohnfortzahlung')).toEqual({
      ...{ nadgodziny: 'Overtime', IJSS: 'Sick pay', Lohnfortzahlung: 'Sick pay' },
    })
    expect(translate('1st reminder, Final notice, Legal action', 'relance 1', 'burofax', 'Mahnbescheid')).toEqual({
      ...{ 'relance 1': '1st reminder', burofax: 'Final notice', Mahnbescheid: 'Legal action' },
    })
    expect(translate('Draft, Sent, Received, Closed', 'bestellt', 'complete')).toEqual({ bestellt: 'Sent' })
    expect(translate('Draft, Sent, Accepted, Rejected', 'geliefert')).toEqual({})
  })
  it('are found in the lists of shops, salons, fields and deliveries', () => {
    expect(translate('Cut, Highlights, Perm', 'Foliensträhnen', 'knippen', 'DW')).toEqual({
      ...{ Foliensträhnen: 'Highlights', knippen: 'Cut', DW: 'Perm' },
    })
    expect(translate('Sowing, Spraying, Harvest', 'oprysk', 'Drusch', 'zaaien')).toEqual({
      ...{ oprysk: 'Spraying', Drusch: 'Harvest', zaaien: 'Sowing' },
    })
    expect(translate('Organic, Garden waste, Residual waste', 'GFT', 'Grünschnitt', 'omr')).toEqual({
      ...{ GFT: 'Organic', Grünschnitt: 'Garden waste', omr: 'Residual waste' },
    })
    expect(translate('Delivered, Not at home, Wrong address', 'NPAI', 'geen gehoor')).toEqual({
      ...{ NPAI: 'Wrong address', 'geen gehoor': 'Not at home' },
    })
    expect(translate('Dairy, Beverages, Frozen', 'TKK', 'MoPro', 'latte')).toEqual({ TKK: 'Frozen', MoPro: 'Dairy' })
  })
  it('are not found in other lists', () => {
    expect(translate('Red, Post, Blue', 'DHL', 'PostNL')).toEqual({})
    expect(translate('Transport, Software, Hardware, Wages, Rent', 'Péage')).toEqual({})
  })
  it('leave a text to an option with its meaning that the list does not have', () => {
    expect(translate('Not shipped, Shipped, Delivered', 'unterwegs')).toEqual({ unterwegs: 'Shipped' })
    expect(translate('Not shipped, Shipped, In transit, Delivered', 'unterwegs')).toEqual({ unterwegs: 'In transit' })
    expect(translate('Preventive, Inspection, Corrective', 'Inspektion')).toEqual({ Inspektion: 'Inspection' })
  })
  it('are corrected next to others of the list', () => {
    expect(translate('Kurier, Post, Spedition', 'corriere', 'InPost')).toEqual({ corriere: 'Kurier', InPost: 'Kurier' })
    expect(translate('Cash, Direct debit, Bank transfer', 'SEPA')).toEqual({})
  })
  it('have each list in one subject', () => {
    const names = subjects.flatMap((subject) => Object.keys(subject))
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })
  it.each(subjects.flatMap((subject) => Object.entries(subject)))('have each word once: %s', (_, list) => {
    const words = Object.entries(list).flatMap(([name, { names, texts }]) => [
      ...(name === 'unclear' ? [] : [name]),
      ...names,
      ...texts,
    ])
    expect(words.filter((word, at) => words.indexOf(word) !== at || word !== compact(word))).toEqual([])
  })
})
