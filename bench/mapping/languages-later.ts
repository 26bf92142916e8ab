/**
 * Header rows of public programs, collected and labelled after the vocabulary was written. Only measured, never used to
 * tune: they show how much languages.ts, written by the same hands as the vocabulary, flatters.
 */
import type { LabelledInLanguage } from './languages.ts'

export const COLLECTED_LATER: readonly LabelledInLanguage[] = [
  {
    language: 'de',
    name: 'Kundenexport',
    target: 'contacts',
    columns:
      'kundennummer | name | strasse > street | plz > postal_code | ort > city | eMail > email | telefon > phone | ustIdNr',
  },
  {
    language: 'de',
    name: 'Rechnungsbeträge',
    target: 'invoices',
    columns: 'Kundennummer > customer_number | Name > customer_name | Kundentyp | Rechnungsbetrag > total_amount',
  },
  {
    language: 'de',
    name: 'Kundendatei',
    target: 'contacts',
    columns:
      'Kundennummer | Name > last_name | Vorname > first_name | Firma > company | Strasse > street | Hausnummer | Postleitzahl > postal_code | Ort > city',
  },
  {
    language: 'de',
    name: 'Zahlungsziele',
    target: 'contacts',
    columns:
      'Kundennummer | Name | Adresse > street | PLZ > postal_code | Stadt > city | Land > country | UID | Zahlungsziel | E-Mail > email | EU-Mitglied',
  },
  {
    language: 'de',
    name: 'Bestellungen',
    target: 'orders',
    columns:
      'Bestellnummer > order_number | Lieferant | Bezeichnung > item_name | Menge > quantity | Einzelpreis > unit_price',
  },
  {
    language: 'fr',
    name: 'établissements',
    target: 'contacts',
    columns:
      'Identifiant | Famille | Statut | Numéro Tiers | Intitulé | Raison sociale > company | CVI | SIRET | Accises | Adresse > street | Code postal > postal_code | Commune > city | INSEE | Pays > country | Téléphone Bureau > phone | Téléphone Perso | Fax | Email > email',
  },
  {
    language: 'fr',
    name: 'employeurs',
    target: 'contacts',
    columns:
      'Raison sociale > company | N° CNSS | Téléphone > phone | Email > email | Activité principale | Nationalité | Localité > city',
  },
  {
    language: 'fr',
    name: 'entreprises',
    target: 'contacts',
    columns:
      'SIREN | Nom complet | Raison sociale > company | SIRET | Date création > created_at | Adresse > street | Code postal > postal_code | Ville > city | Département > state | Nature juridique | Code APE',
  },
  {
    language: 'fr',
    name: 'livraisons',
    target: 'shipments',
    columns:
      'id_acheteur | statut > status | montant_total | notes | code_postal > recipient_postal_code | ville > recipient_city | pays > recipient_country | numero_suivi > tracking_number | date_livraison_effective > delivery_date',
  },
  {
    language: 'it',
    name: 'estratto conto',
    target: 'transactions',
    columns:
      'Ragione Sociale | Data contabile > date | Data valuta | Banca | Rapporto | Importo > amount | Divisa > currency | Descrizione > description | Categoria/sottocategoria > category | Hashtag',
  },
  {
    language: 'it',
    name: 'anagrafica clienti',
    target: 'contacts',
    columns:
      'Nome > first_name | Cognome > last_name | Ragione Sociale > company | CF | P.IVA | Indirizzo > street | CAP > postal_code | Città > city | Prov > state | Telefono > phone | Cellulare > mobile | Email > email | PEC | SDI | IBAN | Note > notes',
  },
  {
    language: 'pt',
    name: 'usuários',
    target: 'employees',
    columns:
      'CODIGO | NOME | EMAIL > email | TELEFONE > phone | CPF | CARGO > job_title | DEPARTAMENTO > department | EMPRESA | SITUACAO | DATA ULTIMO ACESSO | NIVEL | CNPJ | CANAL',
  },
  {
    language: 'pt',
    name: 'patrocinadores',
    target: 'contacts',
    columns:
      'Razao Social > company | Nome Fantasia | CNPJ | Regime | Cidade > city | Estado > state | Email > email | Telefone > phone | Responsavel Fiscal | Status | Potencial | Aportes',
  },
  {
    language: 'pt',
    name: 'pedidos de loja',
    target: 'orders',
    columns:
      'Pedido > order_number | Comprador > customer_name | Status Pedido > status | Data Pedido > order_date | Total Itens | Valor Pedido > total | Tipo Frete | Valor Frete > shipping_cost',
  },
  {
    language: 'pl',
    name: 'zamówienia',
    target: 'orders',
    columns:
      'Numer zamówienia > order_number | Data > order_date | Klient > customer_name | Telefon | Email > customer_email | Dostawa | Paczkomat / Adres | Ilość > quantity | Kwota PLN > total | Płatność > payment_method | Status > status | Nr przesyłki',
  },
  {
    language: 'pl',
    name: 'pozycje zamówień',
    target: 'orders',
    columns: 'Numer zamówienia > order_number | Produkt > item_name | Ilość > quantity | Cena jednostkowa > unit_price',
  },
  {
    language: 'pl',
    name: 'faktury sprzedaży',
    target: 'invoices',
    columns:
      'Numer Faktury > invoice_number | Data > invoice_date | Nazwa klienta > customer_name | NIP klienta > vat_id | Wartość netto > net_amount | VAT | Wartość VAT > tax_amount | Wartość brutto > total_amount',
  },
  {
    language: 'en',
    name: 'parts orders',
    target: 'orders',
    columns:
      "Supplier Number | Manufacturer | Part Number > item_sku | Number | Status ID | Order ID > order_number | Order date > order_date | Est. supply date | Part | Q-ty > quantity | Price > unit_price | Total summ > total | Client Number | Client's name > customer_name",
  },
  {
    language: 'en',
    name: 'employee master',
    target: 'employees',
    columns:
      'Emp_ID > employee_id | First_Name > first_name | Last_Name > last_name | Email > email | Mobile_number | DOB > birth_date',
  },
  {
    language: 'en',
    name: 'employees',
    target: 'employees',
    columns:
      'emp_id > employee_id | first_name > first_name | last_name > last_name | dept_name > department | country | salary > salary | hire_date > hire_date | degree',
  },
  {
    language: 'en',
    name: 'marketplace orders',
    target: 'orders',
    columns:
      'eBay Order ID > order_number | Order Date > order_date | Product Title > item_name | Product Cost | Quantity > quantity | Tracking Number',
  },
  {
    language: 'es',
    name: 'personas',
    target: 'contacts',
    columns: 'nombres > first_name | apellidoPaterno > last_name | apellidoMaterno | razonSocial > company',
  },
  {
    language: 'es',
    name: 'productos cargados',
    target: 'orders',
    columns:
      'Item | Código > item_sku | Descripción > item_name | Unidad | Cantidad > quantity | Valor Unitario > unit_price | % Dscto | % IVA | Valor IVA > tax | Total > total | Stock Mínimo',
  },
  {
    language: 'es',
    name: 'catálogo',
    target: 'products',
    columns: 'Código > sku | Descripción > name | Familia > category | PVP > price',
  },
  {
    language: 'nl',
    name: 'bedrijven',
    target: 'contacts',
    columns:
      'BedrijfsNaam > company | TelefoonNummer > phone | GsmNummer > mobile | BtwNummer | EmailAdres > email | kvKnummer',
  },
  {
    language: 'nl',
    name: 'facturatie',
    target: 'invoices',
    columns:
      'factuurId > invoice_number | factuurKlant > customer_name | factuurDatum > invoice_date | betaalDatum > payment_date | btwTotaal > tax_amount | totaalPrijs > total_amount',
  },
]
