/** The held-out half of the corpus: labelled before any measurement and never used to tune the engine. */
import type { Labelled } from './corpus.ts'

export const HELD_OUT: readonly Labelled[] = [
  {
    name: 'Outlook contacts',
    target: 'contacts',
    columns:
      'Title | First Name > first_name | Middle Name | Last Name > last_name | Suffix | Company > company | Department | Job Title > job_title | Business Street > street | Business City > city | Business State > state | Business Postal Code > postal_code | Business Country/Region > country | Business Fax | Business Phone > phone | Mobile Phone > mobile | Birthday > birth_date | E-mail Address > email | E-mail Type | Notes > notes | Web Page > website | Spouse | Initials',
  },
  {
    name: 'HubSpot contacts',
    target: 'contacts',
    columns:
      'Record ID | First Name > first_name | Last Name > last_name | Email > email | Phone Number > phone | Contact owner > owner | Last Activity Date | Lead Status | Marketing contact status | Create Date > created_at | Associated Company > company | Job Title > job_title | City > city | State/Region > state | Postal Code > postal_code | Country/Region > country | Website URL > website | Mobile Phone Number > mobile | Street Address > street | Date of birth > birth_date',
  },
  {
    name: 'Mailchimp audience',
    target: 'contacts',
    columns:
      'Email Address > email | First Name > first_name | Last Name > last_name | Address > street | Phone Number > phone | Birthday > birth_date | MEMBER_RATING | OPTIN_TIME | OPTIN_IP | CONFIRM_TIME | LATITUDE | LONGITUDE | GMTOFF | TIMEZONE | REGION > state | LAST_CHANGED | LEID | EUID | NOTES > notes | TAGS',
  },
  {
    name: 'Clientes (Spanish)',
    target: 'contacts',
    columns:
      'Nombre > first_name | Apellidos > last_name | Correo electrónico > email | Teléfono > phone | Móvil > mobile | Empresa > company | Cargo > job_title | Dirección > street | Ciudad > city | Provincia > state | Código postal > postal_code | País > country | Sitio web > website | Fecha de nacimiento > birth_date | Observaciones > notes | NIF | Fecha de alta > created_at',
  },
  {
    name: 'Clients (French)',
    target: 'contacts',
    columns:
      'Civilité | Nom > last_name | Prénom > first_name | Adresse e-mail > email | Tél. fixe > phone | Portable > mobile | Société > company | Fonction > job_title | Rue > street | Code postal > postal_code | Ville > city | Région > state | Pays > country | Site internet > website | Né(e) le > birth_date | Commentaires > notes | Date de création > created_at',
  },
  {
    name: 'Workday workers',
    target: 'employees',
    columns:
      'Employee ID > employee_id | Legal First Name > first_name | Legal Last Name > last_name | Email - Primary Work > email | Primary Work Phone > phone | Supervisory Organization | Cost Center | Department Name > department | Business Title > job_title | Manager Name > manager | Original Hire Date > hire_date | Termination Date > termination_date | Annual Base Salary > salary | Worker Type > employment_type | Work Location > location | Gender > gender | Date of Birth > birth_date | Ethnicity',
  },
  {
    name: 'Personalstamm (German)',
    target: 'employees',
    columns:
      'Personalnummer > employee_id | Vorname > first_name | Name > last_name | E-Mail (geschäftlich) > email | Telefonnummer > phone | Abteilung > department | Stellenbezeichnung > job_title | Vorgesetzte/r > manager | Eintrittsdatum > hire_date | Austrittsdatum > termination_date | Monatsgehalt > salary | Vertragsart > employment_type | Standort > location | Geschlecht > gender | Geb.-Datum > birth_date | Steuer-ID | Krankenkasse',
  },
  {
    name: 'WooCommerce products',
    target: 'products',
    columns:
      'ID | Type | SKU > sku | GTIN, UPC, EAN, or ISBN > barcode | Name > name | Published > status | Is featured? | Visibility in catalog | Short description | Description > description | Date sale price starts | Tax status | Tax class | In stock? | Stock > quantity | Low stock amount | Weight (kg) > weight | Length (cm) | Width (cm) | Height (cm) | Sale price | Regular price > price | Categories > category | Tags > tags | Images > image_url | Brands > brand',
  },
  {
    name: 'Artikelstamm (German)',
    target: 'products',
    columns:
      'Artikelnummer > sku | Bezeichnung > name | Langtext > description | Warengruppe > category | Hersteller > brand | VK-Preis > price | EK-Preis > cost | Währung > currency | Lagerbestand > quantity | Gewicht > weight | EAN > barcode | Bild-URL > image_url | Status > status | Mindestbestand',
  },
  {
    name: 'Amazon orders',
    target: 'orders',
    columns:
      'order-id > order_number | order-item-id | purchase-date > order_date | payments-date | buyer-email > customer_email | buyer-name > customer_name | buyer-phone-number | sku > item_sku | product-name > item_name | quantity-purchased > quantity | currency > currency | item-price > unit_price | item-tax > tax | shipping-price > shipping_cost | ship-service-level | recipient-name | ship-city > shipping_city | ship-state | ship-country > shipping_country | order-status > status',
  },
  {
    name: 'Magento orders',
    target: 'orders',
    columns:
      'ID > order_number | Purchase Point | Purchase Date > order_date | Bill-to Name > customer_name | Ship-to Name | Grand Total (Base) | Grand Total (Purchased) > total | Status > status | Customer Email > customer_email | Customer Group | Subtotal > subtotal | Shipping and Handling > shipping_cost | Payment Method > payment_method | Total Refunded',
  },
  {
    name: 'QuickBooks invoices',
    target: 'invoices',
    columns:
      'Invoice No > invoice_number | Customer > customer_name | Invoice Date > invoice_date | Due Date > due_date | Terms | Location | Memo > description | Product/Service | Item Quantity | Item Rate | Amount > total_amount | Tax Amount > tax_amount | Tax Rate | Currency > currency | Service Date',
  },
  {
    name: 'Factures (French)',
    target: 'invoices',
    columns:
      "Numéro de facture > invoice_number | Date de facture > invoice_date | Date d'échéance > due_date | Client > customer_name | N° client > customer_number | Montant HT > net_amount | Montant TVA > tax_amount | Montant TTC > total_amount | Devise > currency | Statut > status | Date de paiement > payment_date | Libellé > description | N° TVA > vat_id",
  },
  {
    name: 'Sparkasse CAMT (German)',
    target: 'transactions',
    columns:
      'Auftragskonto | Buchungstag > date | Valutadatum | Buchungstext > type | Verwendungszweck > description | Glaeubiger ID | Mandatsreferenz | Beguenstigter/Zahlungspflichtiger > counterparty | Kontonummer/IBAN > iban | BIC (SWIFT-Code) | Betrag > amount | Waehrung > currency | Info',
  },
  {
    name: 'Stripe balance',
    target: 'transactions',
    columns:
      'id > transaction_id | Type > type | Source | Amount > amount | Fee > fee | Net | Currency > currency | Created (UTC) > date | Available On (UTC) | Description > description | Customer Facing Amount',
  },
  {
    name: 'ShipStation shipments',
    target: 'shipments',
    columns:
      'Order # > reference | Tracking # > tracking_number | Carrier > carrier | Service > service | Ship Date > ship_date | Recipient > recipient_name | Address 1 > recipient_street | Address 2 | City > recipient_city | State | Zip > recipient_postal_code | Country > recipient_country | Weight (oz) > weight | Shipping Cost > cost | Insurance Cost | Date Delivered > delivery_date',
  },
  {
    name: 'GeoNames',
    target: 'locations',
    columns:
      'geonameid > id | name > name | asciiname | alternatenames | latitude > latitude | longitude > longitude | feature class > type | feature code | country code > country | cc2 | admin1 code > state | admin2 code | population | elevation > elevation | dem | timezone > timezone | modification date',
  },
  {
    name: 'US zip codes',
    target: 'locations',
    columns:
      'zip_code > postal_code | lat > latitude | lng > longitude | primary_city > city | state_id > state | county_name | population | density | timezone > timezone',
  },
  {
    name: 'Zendesk tickets',
    target: 'tickets',
    columns:
      'Id > ticket_id | Requester > requester | Requester email | Requester domain | Submitter | Assignee > assignee | Brand | Group | Subject > subject | Status > status | Priority > priority | Via | Ticket type > type | Created at > created_at | Updated at > updated_at | Solved at > resolved_at | Tags > tags | Satisfaction Score',
  },
  {
    name: 'GitLab issues',
    target: 'tickets',
    columns:
      'Title > subject | Description > description | Issue ID > ticket_id | URL | State > status | Author > requester | Author Username | Assignee > assignee | Confidential | Due Date | Created At (UTC) > created_at | Updated At (UTC) > updated_at | Closed At (UTC) > resolved_at | Milestone | Weight | Labels > tags',
  },
]
