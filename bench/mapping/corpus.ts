/** Hand-labelled header rows of real files. The engine may be tuned with these; held-out.ts is only measured. */
import type { Target } from './targets.ts'

export interface Labelled {
  name: string
  target: Target
  columns: string
}

export const CORPUS: readonly Labelled[] = [
  {
    name: 'Google Contacts',
    target: 'contacts',
    columns:
      'First Name > first_name | Middle Name | Last Name > last_name | Phonetic First Name | Nickname | File As | Organization Name > company | Organization Title > job_title | Organization Department | Birthday > birth_date | Notes > notes | Photo | Labels | E-mail 1 - Label | E-mail 1 - Value > email | Phone 1 - Label | Phone 1 - Value > phone | Address 1 - Label | Address 1 - Street > street | Address 1 - City > city | Address 1 - PO Box | Address 1 - Region > state | Address 1 - Postal Code > postal_code | Address 1 - Country > country | Website 1 - Label | Website 1 - Value > website',
  },
  {
    name: 'Salesforce contacts',
    target: 'contacts',
    columns:
      'Salutation | First Name > first_name | Last Name > last_name | Title > job_title | Account Name > company | Mailing Street > street | Mailing City > city | Mailing State/Province > state | Mailing Zip/Postal Code > postal_code | Mailing Country > country | Phone > phone | Fax | Mobile > mobile | Email > email | Contact Owner > owner | Lead Source | Birthdate > birth_date | Description > notes | Created Date > created_at',
  },
  {
    name: 'LinkedIn connections',
    target: 'contacts',
    columns:
      'First Name > first_name | Last Name > last_name | URL > website | Email Address > email | Company > company | Position > job_title | Connected On',
  },
  {
    name: 'Shopify customers',
    target: 'contacts',
    columns:
      'Customer ID | First Name > first_name | Last Name > last_name | Email > email | Accepts Email Marketing | Default Address Company > company | Default Address Address1 > street | Default Address Address2 | Default Address City > city | Default Address Province Code > state | Default Address Country Code > country | Default Address Zip > postal_code | Default Address Phone | Phone > phone | Accepts SMS Marketing | Total Spent | Total Orders | Note > notes | Tax Exempt | Tags',
  },
  {
    name: 'Kundenstamm (German)',
    target: 'contacts',
    columns:
      'Kundennummer | Anrede | Vorname > first_name | Nachname > last_name | Firma > company | Straße > street | PLZ > postal_code | Ort > city | Bundesland > state | Land > country | Telefon > phone | Mobil > mobile | Telefax | E-Mail-Adresse > email | Internet > website | Geburtsdatum > birth_date | Bemerkung > notes | USt-IdNr. | Erstellt am > created_at',
  },
  {
    name: 'Northwind customers',
    target: 'contacts',
    columns:
      'CustomerID | CompanyName > company | ContactName | ContactTitle > job_title | Address > street | City > city | Region > state | PostalCode > postal_code | Country > country | Phone > phone | Fax',
  },
  {
    name: 'BambooHR employees',
    target: 'employees',
    columns:
      'Employee # > employee_id | First Name > first_name | Last Name > last_name | Work Email > email | Mobile Phone > phone | Department > department | Division | Job Title > job_title | Reporting to > manager | Hire Date > hire_date | Termination Date > termination_date | Pay rate > salary | Pay type | Employment Status > employment_type | Location > location | Gender > gender | Birth Date > birth_date | SSN | Marital Status',
  },
  {
    name: 'Personnel (French)',
    target: 'employees',
    columns:
      "Matricule > employee_id | Nom de famille > last_name | Prénom > first_name | Date de naissance > birth_date | Sexe > gender | Service > department | Poste > job_title | Date d'embauche > hire_date | Salaire brut > salary | Courriel > email | Téléphone > phone | Responsable > manager | Lieu de travail > location | Nationalité",
  },
  {
    name: 'Shopify products',
    target: 'products',
    columns:
      'Handle | Title > name | Body (HTML) > description | Vendor > brand | Product Category > category | Type | Tags > tags | Published | Option1 Name | Option1 Value | Variant SKU > sku | Variant Grams > weight | Variant Inventory Tracker | Variant Inventory Qty > quantity | Variant Inventory Policy | Variant Price > price | Variant Compare At Price > compare_at_price | Variant Barcode > barcode | Image Src > image_url | Image Position | Image Alt Text | Gift Card | Cost per item > cost | Status > status',
  },
  {
    name: 'Northwind products',
    target: 'products',
    columns:
      'ProductID > sku | ProductName > name | SupplierID | CategoryID | QuantityPerUnit | UnitPrice > price | UnitsInStock > quantity | UnitsOnOrder | ReorderLevel | Discontinued',
  },
  {
    name: 'Shopify orders',
    target: 'orders',
    columns:
      'Name > order_number | Email > customer_email | Financial Status > status | Paid at | Fulfillment Status | Fulfilled at | Accepts Marketing | Currency > currency | Subtotal > subtotal | Shipping > shipping_cost | Taxes > tax | Total > total | Discount Code | Discount Amount > discount | Shipping Method | Created at > order_date | Lineitem quantity > quantity | Lineitem name > item_name | Lineitem price > unit_price | Lineitem sku > item_sku | Billing Name > customer_name | Billing Street | Billing City > billing_city | Billing Country > billing_country | Shipping Name | Shipping City > shipping_city | Shipping Country > shipping_country | Payment Method > payment_method | Vendor',
  },
  {
    name: 'Superstore',
    target: 'orders',
    columns:
      'Row ID | Order ID > order_number | Order Date > order_date | Ship Date | Ship Mode | Customer ID | Customer Name > customer_name | Segment | Country > shipping_country | City > shipping_city | State | Postal Code | Region | Product ID > item_sku | Category | Sub-Category | Product Name > item_name | Sales > total | Quantity > quantity | Discount > discount | Profit',
  },
  {
    name: 'Xero invoices',
    target: 'invoices',
    columns:
      'ContactName > customer_name | EmailAddress | POAddressLine1 | POCity | PORegion | POPostalCode | POCountry | InvoiceNumber > invoice_number | Reference | InvoiceDate > invoice_date | DueDate > due_date | Total > total_amount | TaxTotal > tax_amount | InvoiceAmountPaid | InvoiceAmountDue | Description > description | Quantity | UnitAmount | AccountCode | TaxType | Currency > currency | Status > status',
  },
  {
    name: 'Rechnungen (German)',
    target: 'invoices',
    columns:
      'Rechnungsnummer > invoice_number | Rechnungsdatum > invoice_date | Fälligkeitsdatum > due_date | Kunde > customer_name | Kundennummer > customer_number | Nettobetrag > net_amount | Umsatzsteuer > tax_amount | Bruttobetrag > total_amount | Währung > currency | Status > status | Zahlungsdatum > payment_date | Betreff > description | USt-IdNr. > vat_id | Mahnstufe',
  },
  {
    name: 'PayPal activity',
    target: 'transactions',
    columns:
      'Date > date | Time | TimeZone | Name > counterparty | Type > type | Status > status | Currency > currency | Gross > amount | Fee > fee | Net | From Email Address | To Email Address | Transaction ID > transaction_id | Balance > balance | Item Title | Subject > description | Shipping Address',
  },
  {
    name: 'UPS shipments',
    target: 'shipments',
    columns:
      'Tracking Number > tracking_number | Service > service | Ship Date > ship_date | Delivered On > delivery_date | Ship To Name > recipient_name | Ship To Street > recipient_street | Ship To City > recipient_city | Ship To Postal Code > recipient_postal_code | Ship To Country > recipient_country | Package Weight > weight | Reference Number > reference | Freight Cost > cost | Status > status | Carrier Name > carrier | Shipper Name | Shipper City',
  },
  {
    name: 'OurAirports',
    target: 'locations',
    columns:
      'id > id | ident | type > type | name > name | latitude_deg > latitude | longitude_deg > longitude | elevation_ft > elevation | continent | iso_country > country | iso_region > state | municipality > city | scheduled_service | gps_code | iata_code | local_code | home_link | wikipedia_link | keywords',
  },
  {
    name: 'GTFS stops',
    target: 'locations',
    columns:
      'stop_id > id | stop_code | stop_name > name | stop_desc | stop_lat > latitude | stop_lon > longitude | zone_id | stop_url | location_type > type | parent_station | stop_timezone > timezone | wheelchair_boarding',
  },
  {
    name: 'Jira issues',
    target: 'tickets',
    columns:
      'Summary > subject | Issue key > ticket_id | Issue id | Issue Type > type | Status > status | Priority > priority | Resolution | Assignee > assignee | Reporter > requester | Creator | Created > created_at | Updated > updated_at | Resolved > resolved_at | Description > description | Labels > tags | Sprint | Votes',
  },
]
