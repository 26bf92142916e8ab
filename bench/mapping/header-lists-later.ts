import type { OptionList } from './option-lists.ts'

export const LATER_HEADER_LISTS: readonly OptionList[] = [
  {
    label: 'Suppliers, en',
    options: 'supplier_name | contact_person | email | phone | city | country | payment_terms | iban',
    same: 'Supplier > supplier_name | Vendor name > supplier_name | Contact > contact_person | Contact email > email | E-mail address > email | Your e-mail > email | Work phone > phone | Telephone no. > phone | Town > city | Country name > country | Terms of payment > payment_terms | IBAN number > iban',
    other:
      'Supplier rating | Supplier category | Email status | Phone extension | Country manager | City tax | Payment date | Contact frequency | Bank name | Phone bill | Email template | Country of origin | Accountant phone',
  },
  {
    label: 'Homes, de',
    options:
      'address | city | postal_code | rent:number | area:number | rooms:number | owner | available_from:date | status',
    same: 'Anschrift > address | Objektadresse > address | Stadt > city | Postleitzahl > postal_code | Monatsmiete > rent | Mietpreis > rent | Wohnfläche > area | Zimmeranzahl > rooms | Anzahl Zimmer > rooms | Eigentümer > owner | Verfügbar ab > available_from | Status des Objekts > status',
    other:
      'Mietbeginn | Mietvertrag | Mieterhöhung | Mieterverein | Zimmertür | Eigentümerversammlung | Stadtwerke | Stadtplan | Flächenschlüssel | Ortszuschlag | Eigentumsform | Adresszusatz | Statusgrund | Hausverwalter Telefon',
  },
  {
    label: 'Customers, fr',
    options: 'customer_name | email | phone | address | city | country | total:number | order_date:date',
    same: 'Nom du client > customer_name | Client > customer_name | Adresse e-mail > email | Courriel > email | Courriel du client > email | Téléphone > phone | Tél. fixe > phone | Adresse postale > address | Ville > city | Pays > country | Montant total > total | Date de commande > order_date',
    other:
      'Pays de naissance | Ville de naissance | Téléphone du gérant | Adresse IP | Type de client | Groupe de clients | Date de relance | Date de paiement | Numéro de client | E-mail du comptable | Taux de change | Mode de commande | Statut du téléphone | Devise du total',
  },
  {
    label: 'Employees, es',
    options: 'employee_id | first_name | last_name | email | department | salary:number | hire_date:date | manager',
    same: 'Nº empleado > employee_id | Nombre de pila > first_name | Apellidos > last_name | Correo > email | Correo electrónico del trabajo > email | Departamento > department | Sueldo > salary | Salario bruto > salary | Fecha de contratación > hire_date | Fecha de ingreso > hire_date | Jefe > manager | Supervisor > manager',
    other:
      'Correo del jefe | Teléfono del departamento | Fecha del salario | Tipo de salario | Nombre de la madre | Nombre de la empresa | Fecha de la baja | Vencimiento del contrato | Banco del salario | Código postal | Lugar de nacimiento | Presupuesto del departamento | Apellido de soltera',
  },
  {
    label: 'Invoices, it',
    options:
      'invoice_number | invoice_date:date | due_date:date | customer | amount:number | tax_amount:number | currency | paid_on:date',
    same: 'Numero fattura > invoice_number | N. fattura > invoice_number | Data fattura > invoice_date | Scadenza > due_date | Data scadenza > due_date | Cliente > customer | Nome cliente > customer | Importo > amount | Importo totale > amount | IVA > tax_amount | Valuta > currency | Divisa > currency | Data di pagamento > paid_on',
    other:
      'Città del cliente | Telefono del cliente | Tipo di fattura | Codice fiscale | Gruppo clienti | Cambio valuta | Aliquota IVA | Data di nascita | Partita IVA | Indirizzo del cliente | Limite di importo | Modalità di pagamento | Nome del commercialista | Numero di clienti',
  },
  {
    label: 'Companies, nl',
    options: 'company | street | postal_code | city | country | email | phone | vat_number',
    same: 'Bedrijf > company | Bedrijfsnaam > company | Naam bedrijf > company | Straatnaam > street | Postcode > postal_code | Woonplaats > city | Plaats > city | Land > country | E-mailadres > email | Telefoon > phone | Telefoonnummer > phone | Btw-nummer > vat_number',
    other:
      'Bedrijfsgrootte | Bedrijfsleider | Plaatsbepaling | Geboorteland | Geboorteplaats | Landbouwsubsidie | Straatverlichting | Telefoonkosten | Btw-tarief | E-mail boekhouder | Stadsdeel | Bedrijfstak | Laatste contact',
  },
  {
    label: 'Orders, pt',
    options:
      'order_number | order_date:date | customer_name | product | quantity:number | unit_price:number | delivery_date:date | status',
    same: 'Nº do pedido > order_number | Número do pedido > order_number | Data do pedido > order_date | Cliente > customer_name | Nome do cliente > customer_name | Produto > product | Artigo > product | Quantidade > quantity | Qtd. > quantity | Preço unitário > unit_price | Data de entrega > delivery_date | Estado do pedido > status | Situação > status',
    other:
      'Cidade do cliente | Telefone do cliente | E-mail do vendedor | Tipo de produto | Grupo de produtos | Família do produto | Data do preço | Morada de entrega | Estado civil | Unidade de quantidade | Motivo do estado | Data de nascimento | Peso do produto | Nome da mãe | Taxa de entrega',
  },
  {
    label: 'Staff, pl',
    options: 'employee_id | name | department | position | salary:number | hire_date:date | email | city',
    same: 'Nr pracownika > employee_id | Imię i nazwisko > name | Dział > department | Nazwa działu > department | Stanowisko > position | Wynagrodzenie > salary | Pensja > salary | Data zatrudnienia > hire_date | Adres e-mail > email | E-mail służbowy > email | Miasto > city | Miejscowość > city',
    other:
      'Kierownik działu | Miejsce urodzenia | Nazwisko panieńskie | E-mail kierownika | Data wypłaty | Data urodzenia | Budżet działu | Nazwa firmy | Opis stanowiska | Numer konta | Dzielnica | Telefon działu | Imię ojca | Waluta wynagrodzenia | Rodzaj zatrudnienia',
  },
]

export const UNSEEN_HEADER_LISTS: readonly OptionList[] = [
  {
    label: 'Members, en',
    options:
      'member_number | first_name | last_name | birth_date:date | email | city | joined_on:date | fee:number | status',
    same: 'Membership no. > member_number | Given name > first_name | Family name > last_name | Surname > last_name | Date of birth > birth_date | Member email > email | Private e-mail > email | Town > city | Join date > joined_on | Membership fee > fee | Annual fee > fee | Member status > status',
    other:
      'Trainer email | Fee reminder | Fee account | Birth place | City council | Status reason | Email consent | First aid course | Last login | Name of school | Number of children | Parent phone | Join reason',
  },
  {
    label: 'Orders, de',
    options:
      'customer_number | company | contact_person | phone | order_date:date | amount:number | discount:number | status',
    same: 'Kundennr. > customer_number | Firmenname > company | Unternehmen > company | Kontaktperson > contact_person | Rufnummer > phone | Telefonnummer geschäftlich > phone | Bestelldatum > order_date | Auftragsdatum > order_date | Betrag > amount | Gesamtbetrag > amount | Rabatt > discount | Auftragsstatus > status',
    other:
      'Firmensitz | Firmenwagen | Telefonanlage | Telefonkosten | Statusänderung | Betragsgrenze | Rabattgruppe | Kundenberater | Kundenbewertung | Bestellwährung | Firmengröße | Unternehmensform | Kontaktverbot | Mahnstufe | Steuerberater E-Mail',
  },
  {
    label: 'Products, fr',
    options: 'sku | name | price:number | quantity:number | category | brand | weight:number | description',
    same: 'Référence article > sku | Code article > sku | Nom du produit > name | Prix unitaire > price | Prix de vente > price | Quantité > quantity | Qté > quantity | Catégorie > category | Marque > brand | Poids > weight | Poids (kg) > weight | Description du produit > description',
    other:
      'Date du prix | Liste de prix | Pays de la marque | Unité de quantité | Responsable de catégorie | Classe de poids | Langue de la description | Nom du fournisseur | Frais de port | Remise sur quantité | Poids de l’emballage | Date de fabrication | Durée de vie',
  },
  {
    label: 'Events, es',
    options: 'event_name | event_date:date | venue | city | capacity:number | price:number | organizer | status',
    same: 'Nombre del evento > event_name | Evento > event_name | Fecha del evento > event_date | Lugar > venue | Recinto > venue | Ciudad > city | Capacidad > capacity | Aforo > capacity | Precio > price | Precio de la entrada > price | Organizador > organizer | Estado del evento > status',
    other:
      'Tipo de evento | Teléfono del organizador | Correo del organizador | Alcalde de la ciudad | Lista de precios | Fecha de pago | Estado civil | Lugar de nacimiento | Ciudad de origen del artista | Unidad de capacidad | Código promocional | Fecha del precio | Edad mínima | Moneda del precio',
  },
  {
    label: 'Students, it',
    options: 'student_id | first_name | last_name | birth_date:date | class | school | email | phone',
    same: 'Matricola > student_id | Nome di battesimo > first_name | Cognome > last_name | Data di nascita > birth_date | Classe > class | Scuola > school | Nome scuola > school | E-mail studente > email | Indirizzo e-mail > email | Telefono > phone | Cellulare > phone | Numero di telefono > phone',
    other:
      'Luogo di nascita | Comune di nascita | Nome della madre | Professione del padre | E-mail del tutore | Telefono del medico | Numero di classi | Indirizzo della scuola | Dirigente della scuola | Tipo di scuola | Cognome da nubile | Data di iscrizione | Operatore telefonico | Voto medio',
  },
  {
    label: 'Vehicles, nl',
    options: 'plate | make | model | mileage:number | fuel | first_registration:date | price:number | color',
    same: 'Kenteken > plate | Merk > make | Automerk > make | Model > model | Kilometerstand > mileage | Brandstof > fuel | Soort brandstof > fuel | Datum eerste toelating > first_registration | Prijs > price | Vraagprijs > price | Verkoopprijs > price | Kleur > color',
    other:
      'Brandstofverbruik | Brandstofpas | Prijslijst | Prijsdatum | Modeljaar | Merkdealer | Kleurgroep | Kentekenbewijs | Kilometervergoeding | Kilometerprijs | Eigenaar | Prijsklasse | Brandstofkosten | Kleurenblind | Registratiekantoor',
  },
  {
    label: 'Patients, pt',
    options: 'patient_number | name | birth_date:date | gender | phone | doctor | appointment_date:date | diagnosis',
    same: 'Número do paciente > patient_number | Nome do paciente > name | Nome completo > name | Data de nascimento > birth_date | Género > gender | Sexo > gender | Telefone > phone | Telemóvel > phone | Médico > doctor | Nome do médico > doctor | Data da consulta > appointment_date | Diagnóstico > diagnosis',
    other:
      'Telefone do médico | Especialidade do médico | Nome do pai | Data do diagnóstico | Local de nascimento | Tipo de consulta | Motivo da consulta | Data da alta | Seguro de saúde | Cidade | Operadora do telefone | Nome da empresa | E-mail do médico | Sala da consulta',
  },
  {
    label: 'Stock, pl',
    options: 'sku | product_name | price:number | stock:number | supplier | warehouse | weight:number | category',
    same: 'Kod produktu > sku | Nazwa produktu > product_name | Nazwa towaru > product_name | Cena > price | Cena sprzedaży > price | Stan magazynowy > stock | Dostawca > supplier | Nazwa dostawcy > supplier | Magazyn > warehouse | Waga > weight | Waga (kg) > weight | Kategoria > category | Kategoria produktu > category',
    other:
      'Miasto dostawcy | Telefon dostawcy | Data ceny | Cennik | Adres magazynu | Kierownik magazynu | Kategoria wagowa | Opis kategorii | Kraj pochodzenia | Jednostka wagi | Termin dostawy | Numer partii | Ocena dostawcy | Stawka VAT | Stan cywilny',
  },
]
