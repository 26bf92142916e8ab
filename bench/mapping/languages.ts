/**
 * Header rows in eight languages, labelled before any measurement and never used to tune the engine. Rows with a file's
 * name are those of public programs and their samples; rows named "short" and "questions" are written by hand.
 */
import type { Labelled } from './corpus.ts'

export const HEADER_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'] as const

export interface LabelledInLanguage extends Labelled {
  language: (typeof HEADER_LANGUAGES)[number]
}

export const IN_LANGUAGES: readonly LabelledInLanguage[] = [
  {
    language: 'en',
    name: 'student table',
    target: 'employees',
    columns:
      'studid | fname > first_name | lname > last_name | gender > gender | mobile | dob > birth_date | emailid > email | phno > phone | designation > job_title | dept > department',
  },
  {
    language: 'en',
    name: 'customer master',
    target: 'contacts',
    columns:
      'cust_no | fname > first_name | lname > last_name | add1 > street | add2 | state > state | city > city | pincode > postal_code | cntry > country | e-mail id > email | mob no > mobile | ph. no. > phone',
  },
  {
    language: 'en',
    name: 'short order',
    target: 'orders',
    columns:
      'ord nbr > order_number | ord dt > order_date | cust email > customer_email | cust nm > customer_name | curr > currency | sub tot > subtotal | shpg cost > shipping_cost | disc > discount | tot amt > total | pmt mthd > payment_method | prod cd > item_sku | prod desc > item_name | ordered qty > quantity | unit prc > unit_price',
  },
  {
    language: 'en',
    name: 'short invoice',
    target: 'invoices',
    columns:
      'inv # > invoice_number | inv dt > invoice_date | due dt > due_date | cust acct no > customer_number | cust > customer_name | net amt > net_amount | VAT amt > tax_amount | gross amt > total_amount | ccy > currency | pd on > payment_date | desc > description | VAT reg no > vat_id',
  },
  {
    language: 'en',
    name: 'questions',
    target: 'contacts',
    columns:
      'What is your first name? > first_name | And your surname? > last_name | Which e-mail address can we use? > email | Your phone number, please > phone | What company do you work for? > company | In which city do you live? > city | Country of residence > country | When were you born? > birth_date | Anything else we should know? | Job title of the contact person > job_title',
  },
  {
    language: 'en',
    name: 'short employee',
    target: 'employees',
    columns:
      'emp no > employee_id | given nm > first_name | fam nm > last_name | work mail > email | mgr name > manager | hired on > hire_date | term date > termination_date | ann. salary > salary | empl type > employment_type | loc > location | sex (m/f) > gender',
  },
  {
    language: 'de',
    name: 'Lagerexport',
    target: 'products',
    columns:
      'Artikelnummer > sku | Bezeichnung > name | Warengruppe > category | Einheit | Bestand > quantity | Lagerort | Gewicht_kg > weight | Lieferant | Lieferschein | Preis_EUR > price | Datum | Bemerkung',
  },
  {
    language: 'de',
    name: 'Eingangsrechnungen',
    target: 'invoices',
    columns:
      'Datum | Rechnungsdatum > invoice_date | Faellig > due_date | Lieferant | Land | USt-ID > vat_id | Rechnungsnummer > invoice_number | Beschreibung > description | Kategorie | Einheit | Netto > net_amount | USt > tax_amount | Brutto > total_amount',
  },
  {
    language: 'de',
    name: 'Rechnungsexport',
    target: 'invoices',
    columns:
      'Rechnungsnummer > invoice_number | Rechnungsdatum > invoice_date | Kundenname > customer_name | Firmenname | Bruttobetrag > total_amount | Status > status | Belegart | StornoReferenz | KassenIdAnzeige',
  },
  {
    language: 'de',
    name: 'Kontoauszug',
    target: 'transactions',
    columns:
      'Buchungstag > date | Valuta | Betrag > amount | Auftraggeber/Empfaenger > counterparty | Verwendungszweck > description | Transaktions-ID > transaction_id',
  },
  {
    language: 'de',
    name: 'Personalimport',
    target: 'employees',
    columns:
      'personalnummer > employee_id | vorname > first_name | nachname > last_name | email > email | org_einheit > department | fachbereich | manager_personalnummer | standort > location | aktiv',
  },
  {
    language: 'de',
    name: 'Kunden short',
    target: 'contacts',
    columns:
      'Kd-Nr. | Vorn. > first_name | Nachn. > last_name | Fa. > company | Str. > street | PLZ > postal_code | Wohnort > city | Bundesl. > state | Tel. gesch. > phone | Mobiltel. > mobile | Mailadr. > email | Geb.-Dat. > birth_date | Bem. > notes',
  },
  {
    language: 'de',
    name: 'Fragen',
    target: 'contacts',
    columns:
      'Wie ist Ihr Vorname? > first_name | Ihr Nachname > last_name | Unter welcher E-Mail-Adresse erreichen wir Sie? > email | Ihre Telefonnummer (tagsüber) > phone | Name der Firma > company | In welchem Land wohnen Sie? > country | Postleitzahl des Wohnorts > postal_code | Wann sind Sie geboren? > birth_date | Berufliche Position > job_title',
  },
  {
    language: 'de',
    name: 'English file for a German sheet',
    target: 'kunden',
    columns:
      'Customer no. > kundennummer | First name > vorname | Surname > nachname | Company > firma | Street > strasse | House no. > hausnummer | Zip > plz | City > ort | Country > land | Phone > telefon | Cell phone > mobil | E-mail > email | Date of birth > geburtsdatum | VAT ID > ust_id | Remarks > bemerkung',
  },
  {
    language: 'fr',
    name: 'police voyage',
    target: 'contacts',
    columns:
      'idclient | numPolice | dateNaissance > birth_date | dateSouscription | sexe | nom > last_name | prenom > first_name | adresse > street | codePostal > postal_code | njf | ville > city | nationalite | telephone > phone | pays > country | montant | offre',
  },
  {
    language: 'fr',
    name: 'prospects',
    target: 'contacts',
    columns:
      'causes | nom > last_name | prenom > first_name | adresse > street | cp > postal_code | ville > city | tel perso | tel pro > phone | portable > mobile | autre | email > email | transaction | commercial | date visite',
  },
  {
    language: 'fr',
    name: 'articles',
    target: 'products',
    columns:
      'Référence > sku | Désignation > name | Unité | Stock actuel > quantity | Stock mini | Prix achat > cost | Prix de vente > price | Fournisseur | Marque > brand | Famille > category | Code-barres > barcode',
  },
  {
    language: 'fr',
    name: 'agents',
    target: 'employees',
    columns:
      'immatricule | nom > last_name | prenom > first_name | email > email | telephone > phone | corps | grade | service_affectation > department | date_affectation | Poste occupé > job_title | Date embauche > hire_date | Salaire mensuel > salary | Type de contrat > employment_type | Date de naiss. > birth_date | Sexe > gender',
  },
  {
    language: 'fr',
    name: 'factures abrégé',
    target: 'invoices',
    columns:
      'N° fact. > invoice_number | Dt fact. > invoice_date | Éch. > due_date | Code client > customer_number | Nom du client > customer_name | Mt HT > net_amount | Mt TVA > tax_amount | Mt TTC > total_amount | Dev. > currency | Date règlt > payment_date | N° TVA intracom. > vat_id',
  },
  {
    language: 'fr',
    name: 'questions',
    target: 'contacts',
    columns:
      "Quel est votre prénom ? > first_name | Votre nom de famille > last_name | Quelle est votre adresse e-mail ? > email | Votre numéro de téléphone > phone | Nom de l'entreprise > company | Dans quelle ville habitez-vous ? > city | Pays de résidence > country | Code postal de la ville > postal_code | Date de naissance de l'adhérent > birth_date",
  },
  {
    language: 'fr',
    name: 'commandes',
    target: 'orders',
    columns:
      'N° commande > order_number | Date de la commande > order_date | Courriel client > customer_email | Client > customer_name | État > status | Sous-total > subtotal | Frais de livraison > shipping_cost | TVA > tax | Remise > discount | Total TTC > total | Mode de règlement > payment_method | Réf. article > item_sku | Qté > quantity | PU > unit_price',
  },
  {
    language: 'es',
    name: 'facturas',
    target: 'invoices',
    columns:
      'Nº Factura > invoice_number | Fecha factura > invoice_date | Concepto > description | Base imponible > net_amount | Cuota IVA > tax_amount | Total factura > total_amount',
  },
  {
    language: 'es',
    name: 'cobros',
    target: 'invoices',
    columns:
      'Nro Recibo | Cliente > customer_name | Nro Factura > invoice_number | Fecha Factura > invoice_date | Monto | Cobro Parcial | Total con IVA > total_amount | Fecha Venc. > due_date | NIF cliente > vat_id | Cód. cliente > customer_number | Fecha de pago > payment_date | Moneda > currency',
  },
  {
    language: 'es',
    name: 'existencias',
    target: 'products',
    columns:
      'Código > sku | Descripción > name | Existencia > quantity | Costo Unitario > cost | Precio Venta > price | Proveedor | Días de entrega | Familia > category | Marca > brand | Cód. barras > barcode | Peso (kg) > weight',
  },
  {
    language: 'es',
    name: 'usuarios',
    target: 'contacts',
    columns:
      'usuario | nombre > first_name | apellidos > last_name | correo > email | telf > phone | móvil > mobile | calle > street | población > city | c.p. > postal_code | provincia > state | país > country | f. nacimiento > birth_date | observ. > notes',
  },
  {
    language: 'es',
    name: 'empleados',
    target: 'employees',
    columns:
      'DNI | Id Empleado > employee_id | Nombre > first_name | Apellido > last_name | Email > email | FechaIngreso > hire_date | Area > department | Puesto > job_title | Jefe inmediato > manager | Sueldo mensual > salary | Tipo de contrato > employment_type | Fecha de baja > termination_date | Sexo > gender',
  },
  {
    language: 'es',
    name: 'preguntas',
    target: 'contacts',
    columns:
      '¿Cuál es su nombre? > first_name | Sus apellidos > last_name | ¿Cuál es su correo electrónico? > email | Número de teléfono de contacto > phone | Nombre de la empresa > company | Ciudad donde vive > city | País de residencia > country | Fecha de nacimiento del cliente > birth_date',
  },
  {
    language: 'it',
    name: 'dipendenti',
    target: 'employees',
    columns:
      'Cognome > last_name | Nome > first_name | Email > email | CodiceFiscale | Sede > location | Ruolo > job_title | TipoContratto > employment_type | Stato | DataAssunzione > hire_date | DataDimissioni > termination_date | FerieResidui',
  },
  {
    language: 'it',
    name: 'studenti',
    target: 'contacts',
    columns:
      "cognome > last_name | nome > first_name | data nascita > birth_date | email > email | telefono > phone | indirizzo > street | citta' > city | cap > postal_code | prov. > state | classe",
  },
  {
    language: 'it',
    name: 'fatture',
    target: 'invoices',
    columns:
      'Nome file | Numero Fattura > invoice_number | Data Emissione > invoice_date | Numero cliente > customer_number | Ragione Sociale > customer_name | Partita IVA > vat_id | Imponibile > net_amount | Imposta > tax_amount | Totale fattura > total_amount | Scadenza > due_date | Data pagamento > payment_date | Valuta > currency',
  },
  {
    language: 'it',
    name: 'listino',
    target: 'products',
    columns:
      'Codice art. > sku | Descrizione > name | UM | Pz/conf | Prezzo listino > price | Prezzo acquisto > cost | IVA | Categoria > category | Marca > brand | Giacenza > quantity | Peso lordo > weight | Codice a barre > barcode',
  },
  {
    language: 'it',
    name: 'ordini',
    target: 'orders',
    columns:
      'N. ordine > order_number | Data ordine > order_date | Cliente > customer_name | E-mail cliente > customer_email | Stato ordine > status | Spese di spedizione > shipping_cost | Sconto > discount | Totale > total | Metodo di pagamento > payment_method | Cod. articolo > item_sku | Q.tà > quantity | Prezzo unit. > unit_price | Città di consegna > shipping_city',
  },
  {
    language: 'it',
    name: 'domande',
    target: 'contacts',
    columns:
      'Qual è il tuo nome? > first_name | Il tuo cognome > last_name | Indirizzo di posta elettronica > email | Numero di telefono > phone | Cellulare > mobile | In quale città vivi? > city | Paese di residenza > country | Data di nascita del cliente > birth_date | Nome azienda > company | Sito internet > website',
  },
  {
    language: 'nl',
    name: 'cliënten',
    target: 'contacts',
    columns:
      'achternaam > last_name | voornaam > first_name | geboortedatum > birth_date | bsn | straat > street | huisnummer | postcode > postal_code | plaats > city | locatie | mobielnummer > mobile | telefoonnr > phone | emailadres > email | opmerkingen > notes',
  },
  {
    language: 'nl',
    name: 'facturen',
    target: 'invoices',
    columns:
      'factuurnummer > invoice_number | factuurdatum > invoice_date | vervaldatum > due_date | leverancier | bedrag_ex_btw > net_amount | btw_bedrag > tax_amount | bedrag_inc_btw > total_amount | omschrijving > description | klantnr > customer_number | klantnaam > customer_name | betaaldatum > payment_date | btw-nummer > vat_id',
  },
  {
    language: 'nl',
    name: 'artikelen',
    target: 'products',
    columns:
      'artikelnummer > sku | artikelnaam > name | omschrijving > description | merk > brand | groep > category | verkoopprijs > price | inkoopprijs > cost | voorraad > quantity | gewicht > weight | streepjescode > barcode | kleurnummer | maat',
  },
  {
    language: 'nl',
    name: 'medewerkers',
    target: 'employees',
    columns:
      'personeelsnr > employee_id | voornaam > first_name | achternaam > last_name | tussenvoegsel | functie > job_title | afdeling > department | leidinggevende > manager | datum in dienst > hire_date | datum uit dienst > termination_date | brutosalaris > salary | soort contract > employment_type | geslacht > gender | geb.datum > birth_date',
  },
  {
    language: 'nl',
    name: 'vragen',
    target: 'contacts',
    columns:
      'Wat is uw voornaam? > first_name | Uw achternaam > last_name | Op welk e-mailadres kunnen we u bereiken? > email | Uw telefoonnummer > phone | Naam van het bedrijf > company | In welke plaats woont u? > city | Land van herkomst > country | Geboortedatum van de klant > birth_date',
  },
  {
    language: 'pt',
    name: 'estoque',
    target: 'products',
    columns:
      'Código > sku | Descrição > name | Marca > brand | Seção > category | Estoque > quantity | Preço Custo > cost | Preço Venda > price | NCM | Unidade | Cód. Barras > barcode | Peso > weight',
  },
  {
    language: 'pt',
    name: 'funcionários',
    target: 'employees',
    columns:
      'FILIAL | MATRICULA > employee_id | NOME | CPF | NASCIMENTO > birth_date | SEXO > gender | ESTADO CIVIL | ADMISSAO > hire_date | RG | Cargo > job_title | Setor > department | E-mail > email | Salário > salary | Demissão > termination_date | Chefe > manager',
  },
  {
    language: 'pt',
    name: 'clientes',
    target: 'contacts',
    columns:
      'Nome > first_name | Sobrenome > last_name | CPF | Data de Nascimento > birth_date | Email > email | Telefone > phone | Celular > mobile | ENDERECO > street | BAIRRO | MUNICIPIO > city | CEP > postal_code | UF > state | País > country | Obs. > notes',
  },
  {
    language: 'pt',
    name: 'pedidos',
    target: 'orders',
    columns:
      'Nº do pedido > order_number | Data do pedido > order_date | Cliente > customer_name | E-mail do cliente > customer_email | Situação > status | Frete > shipping_cost | Desconto > discount | Valor total > total | Forma de pagamento > payment_method | Cód. produto > item_sku | Produto > item_name | Qtd. > quantity | Valor Unitário > unit_price',
  },
  {
    language: 'pt',
    name: 'notas fiscais',
    target: 'invoices',
    columns:
      'Nº da fatura > invoice_number | Data de emissão > invoice_date | Vencimento > due_date | Cód. cliente > customer_number | Nome do cliente > customer_name | Valor líquido > net_amount | Imposto > tax_amount | Valor bruto > total_amount | Moeda > currency | Data pgto > payment_date',
  },
  {
    language: 'pt',
    name: 'perguntas',
    target: 'contacts',
    columns:
      'Qual é o seu nome? > first_name | Seu sobrenome > last_name | Qual é o seu e-mail? > email | Número de telefone > phone | Nome da empresa > company | Em que cidade você mora? > city | País de residência > country | Data de nascimento do cliente > birth_date',
  },
  {
    language: 'pl',
    name: 'zgłoszenia',
    target: 'contacts',
    columns:
      'Id | Data zgloszenia | Imie > first_name | Nazwisko > last_name | Nazwa firmy > company | Miasto > city | Ulica > street | Nr Domu | Kod Pocztowy > postal_code | Telefon > phone | Email > email | Wynik | Dystans',
  },
  {
    language: 'pl',
    name: 'faktury',
    target: 'invoices',
    columns:
      'Data wystawienia > invoice_date | Numer faktury > invoice_number | Sprzedawca | NIP sprzedawcy | Nabywca > customer_name | Numer KSeF | Waluta > currency | Wartość netto > net_amount | Kwota VAT > tax_amount | Kwota brutto > total_amount | Termin płatności > due_date | Data zapłaty > payment_date',
  },
  {
    language: 'pl',
    name: 'nauczyciele',
    target: 'employees',
    columns:
      'IdN | Nazwisko > last_name | Imie > first_name | DZatr > hire_date | DUr > birth_date | Plec > gender | Pensja > salary | Pensum | Telefon > phone | Stanowisko > job_title | Dział > department | Nr pracownika > employee_id | Przełożony > manager',
  },
  {
    language: 'pl',
    name: 'towary',
    target: 'products',
    columns:
      'Kod towaru > sku | Nazwa > name | Opis > description | Kategoria > category | Producent > brand | Cena > price | Cena zakupu > cost | Waluta > currency | Ilość > quantity | Waga > weight | Kod kreskowy > barcode',
  },
  {
    language: 'pl',
    name: 'szkoły',
    target: 'locations',
    columns:
      'Numer RSPO | Typ > type | Nazwa > name | Ulica | Numer budynku | Kod pocztowy > postal_code | Miejscowość > city | Województwo > state | Powiat | Gmina | Szer. geogr. > latitude | Dł. geogr. > longitude | Kraj > country',
  },
  {
    language: 'pl',
    name: 'pytania',
    target: 'contacts',
    columns:
      'Jak masz na imię? > first_name | Twoje nazwisko > last_name | Jaki jest Twój adres e-mail? > email | Numer telefonu > phone | Tel. kom. > mobile | W jakim mieście mieszkasz? > city | Kraj zamieszkania > country | Data urodzenia klienta > birth_date | Uwagi > notes | Strona www > website',
  },
]
