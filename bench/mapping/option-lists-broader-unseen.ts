/** Lists like those of option-lists-broader.ts. No rule was changed for them. */
import type { OptionList } from './option-lists.ts'

export const UNSEEN_BROADER_OPTION_LISTS: readonly OptionList[] = [
  {
    label: 'Cost type',
    options: 'Travel | Lodging | Food | Fuel | Insurance | Software | Other',
    same: 'Train > Travel | Motel > Lodging | Breakfast > Food | Diesel > Fuel | Helicopter > Travel',
    other: 'Rent | Printer | Postage | Fine | Consultant',
  },
  {
    label: 'Ausgabe',
    options: 'Transport | Essen | Unterkunft | Versicherung | Büro',
    same: 'Bus > Transport | Flugzeug > Transport | Hotel > Unterkunft | Suppe > Essen | Abendessen > Essen',
    other: 'Steuer | Strom | Arzt | Kurs | Konto',
  },
  {
    label: 'Voce di spesa',
    options: 'Trasporti | Cibo | Alloggio | Bevande | Vestiti',
    same: 'Autobus > Trasporti | Pasta > Cibo | Birra > Bevande | Vino > Bevande | Camicia > Vestiti | Cappotto > Vestiti',
    other: 'Affitto | Libro | Luce | Posta',
  },
  {
    label: 'Despesa',
    options: 'Transporte | Alimentação | Combustível | Vestuário | Saúde',
    same: 'Trem > Transporte | Gasolina > Combustível | Camisa > Vestuário | Navio > Transporte',
    other: 'Aluguel | Banco | Livro | Imposto | Cadeira | Festa',
  },
  {
    label: 'Wydatek',
    options: 'Transport | Posiłek | Odzież | Napój | Paliwo',
    same: 'Pociąg > Transport | Śniadanie > Posiłek | Koszula > Odzież | Kawa > Napój | Benzyna > Paliwo | Tramwaj > Transport',
    other: 'Czynsz | Książka | Mandat | Bank',
  },
  {
    label: 'Stock group',
    options: 'Clothing | Footwear | Furniture | Tableware | Tools | Cosmetics',
    same: 'Trousers > Clothing | Sneaker > Footwear | Bookcase > Furniture | Plate > Tableware | Saw > Tools | Lipstick > Cosmetics | Mascara > Cosmetics',
    other: 'Laptop | Pallet | Gift card',
  },
  {
    label: 'Type of goods',
    options: 'Meat | Fish | Dairy product | Beverage | Pastry | Pasta',
    same: 'Pork > Meat | Salmon > Fish | Butter > Dairy product | Juice > Beverage | Spaghetti > Pasta | Yogurt > Dairy product | Tuna > Fish',
    other: 'Rice | Napkin | Potato',
  },
  {
    label: 'Type d’article',
    options: 'Vêtement | Chaussure | Meuble | Outil | Boisson | Bijou',
    same: 'Pantalon > Vêtement | Sandale > Chaussure | Armoire > Meuble | Tournevis > Outil | Bière > Boisson | Chemise > Vêtement',
    other: 'Stylo | Carte | Avocat | Glace',
  },
  {
    label: 'Especie',
    options: 'Perro | Gato | Pájaro | Pez | Roedor',
    same: 'Galgo > Perro | Canario > Pájaro | Carpa > Pez | Ratón > Roedor | Loro > Pájaro | Hámster > Roedor',
    other: 'Caballo | Tortuga | Vacuna | Correa',
  },
  {
    label: 'Tierart',
    options: 'Säugetier | Vogel | Fisch | Reptil | Insekt',
    same: 'Pferd > Säugetier | Adler > Vogel | Forelle > Fisch | Krokodil > Reptil | Biene > Insekt | Strauß > Vogel',
    other: 'Spinne | Eiche | Züchter | Krebs',
  },
  {
    label: 'Crop',
    options: 'Cereal | Fruit | Vegetable | Flower | Tree',
    same: 'Barley > Cereal | Plum > Fruit | Lettuce > Vegetable | Orchid > Flower | Maple > Tree | Rye > Cereal | Poplar > Tree',
    other: 'Fertilizer | Tractor | Harvest',
  },
  {
    label: 'Object type',
    options: 'Painting | Sculpture | Furniture | Textile | Weapon | Coin | Jewellery',
    same: 'Portrait > Painting | Statue > Sculpture | Sword > Weapon | Armchair > Furniture | Brooch > Jewellery | Bust > Sculpture | Still life > Painting | Musket > Weapon',
    other: 'Photograph | Manuscript',
  },
  {
    label: 'Instrument',
    options: 'Strijkinstrument | Blaasinstrument | Slaginstrument | Toetsinstrument',
    same: 'Viool > Strijkinstrument | Trompet > Blaasinstrument | Trommel > Slaginstrument | Fluit > Blaasinstrument',
    other: 'Microfoon | Dirigent | Gitaar | Zaal | Noot | Stok',
  },
  {
    label: 'Workplace',
    options: 'Shop | School | Hospital | Factory | Restaurant | Hotel | Bank',
    same: 'Bakery > Shop | Pharmacy > Shop | University > School | Cafeteria > Restaurant | Cannery > Factory | Kindergarten > School',
    other: 'Farm | Home | Ministry | Ship',
  },
  {
    label: 'Trade',
    options: 'Doctor | Lawyer | Scientist | Artist | Athlete | Writer',
    same: 'Cardiologist > Doctor | Chemist > Scientist | Sculptor > Artist | Novelist > Writer | Boxer > Athlete | Physicist > Scientist | Poet > Writer',
    other: 'Butcher | Clerk | Minister',
  },
  {
    label: 'Métier',
    options: 'Médecin | Musicien | Artiste | Scientifique | Soldat',
    same: 'Chirurgien > Médecin | Violoniste > Musicien | Sculpteur > Artiste | Pianiste > Musicien | Physicien > Scientifique',
    other: 'Boulanger | Juge | Serveur | Avocat | Ministre',
  },
  {
    label: 'Waste type',
    options: 'Metal | Paper | Glass | Wood | Textile',
    same: 'Copper > Metal | Cardboard > Paper | Aluminium > Metal | Zinc > Metal | Newsprint > Paper | Cotton > Textile',
    other: 'Battery | Concrete | Oil | Garden waste',
  },
  {
    label: 'Composición',
    options: 'Metal | Madera | Tela | Vidrio | Piedra | Cuero',
    same: 'Hierro > Metal | Roble > Madera | Seda > Tela | Mármol > Piedra | Cobre > Metal | Pino > Madera | Terciopelo > Tela',
    other: 'Papel | Cartón | Plata falsa',
  },
  {
    label: 'Diagnosis group',
    options: 'Injury | Infectious disease | Mental disorder | Cancer | Allergy',
    same: 'Burn > Injury | Measles > Infectious disease | Depression > Mental disorder | Leukemia > Cancer | Hay fever > Allergy | Concussion > Injury | Tuberculosis > Infectious disease',
    other: 'Pregnancy | Checkup | Nurse',
  },
  {
    label: 'Activity',
    options: 'Sport | Dance | Music | Game | Meeting',
    same: 'Tennis > Sport | Waltz > Dance | Rowing > Sport | Poker > Game | Swimming > Sport | Chess > Game | Ballet > Dance',
    other: 'Lunch | Reading | Draft',
  },
  {
    label: 'Fahrzeug',
    options: 'PKW | Schiff | Flugzeug | Zweirad | Bahn',
    same: 'Cabrio > PKW | Tanker > Schiff | Jet > Flugzeug | Straßenbahn > Bahn | Dampfer > Schiff',
    other: 'Anhänger | Kran | Container | Fahrer | Gabelstapler',
  },
  {
    label: 'Device',
    options: 'Computer | Printer | Telephone | Camera | Appliance',
    same: 'Laptop > Computer | Refrigerator > Appliance | Laser printer > Printer | Cellphone > Telephone | Toaster > Appliance | Workstation > Computer',
    other: 'Cable | Desk | License | Mouse',
  },
  {
    label: 'Subject',
    options: 'Mathematics | Natural science | Social science | Language | Art | Sport',
    same: 'Algebra > Mathematics | Physics > Natural science | Geometry > Mathematics | Economics > Social science | Gymnastics > Sport | Chemistry > Natural science',
    other: 'Homework | History | Break | Teacher',
  },
  {
    label: 'Payment for',
    options: 'Tax | Fee | Insurance | Rent | Salary',
    same: 'Income tax > Tax | Toll > Fee | VAT > Tax | Tuition > Fee',
    other: 'Bonus | Discount | Deposit | Bill | Note | Cheque',
  },
]
