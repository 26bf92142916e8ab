import type { OptionList } from './option-lists.ts'

/** As lists of options: fields, headers that name one, and headers that a person gives to none of them. */
export const HEADER_LISTS: readonly OptionList[] = [
  {
    label: 'Orders',
    options: 'order_number | order_date:date | customer_name | shipping_address | total:number | currency | status',
    same: 'Order no. > order_number | Bestellnummer > order_number | Fecha de pedido > order_date:date | Client > customer_name | Lieferadresse > shipping_address | Totale > total:number | Waluta > currency | Stato > status',
    other:
      'Order picker | Delivery date | Billing address | Subtotal | Customer number | Phone number | Currency rate | Status date | Order weight | Number of orders | Customer since | Shipping cost | Total weight | Paid on | Rechnungsadresse | Liefertermin | Kundennummer | Adresse de facturation | Date de livraison | Descuento total',
  },
  {
    label: 'Employees',
    options: 'employee_id | first_name | last_name | hire_date:date | salary:number | manager | department | email',
    same: 'Personalnummer > employee_id | Vorname > first_name | Nachname > last_name | Eintrittsdatum > hire_date:date | Gehalt > salary:number | Vorgesetzter > manager | Service > department | Correo electrónico > email',
    other:
      'Termination date | Birth date | Bonus | Manager email | Department code | Middle name | Maiden name | Salary date | Passport number | Tax ID | Austrittsdatum | Geburtsdatum | Geburtsname | Kostenstelle | Prime | Date de naissance | Fecha de baja | Data di nascita | Emergency contact | Spouse name | Employer',
  },
  {
    label: 'Products',
    options: 'sku | name | price:number | stock:number | weight:number | supplier',
    same: 'Artikelnummer > sku | Bezeichnung > name | Preis > price:number | Lagerbestand > stock:number | Gewicht > weight:number | Lieferant > supplier | Prix > price:number | Peso > weight:number | Fournisseur > supplier',
    other:
      'Supplier number | Price list | Minimum stock | Stock location | Price date | Brand name owner | Height | Width | Colour | Discount | Price per kg unit | Einkaufspreis netto alt | Mindestbestand | Preisgruppe | Lagerort | Gewichtsklasse | Poids emballage vide | Supplier city | Stock exchange | Namenstag | Delivery days',
  },
  {
    label: 'Invoices',
    options: 'invoice_number | invoice_date:date | due_date:date | net_amount:number | tax_amount:number | customer',
    same: 'Rechnungsnummer > invoice_number | Rechnungsdatum > invoice_date:date | Fällig am > due_date:date | Netto > net_amount:number | MwSt. > tax_amount:number | Kunde > customer | Fecha de vencimiento > due_date:date | Montant HT > net_amount:number',
    other:
      'Order number | Payment date | Gross amount | Tax rate | Tax number | Customer group | Discount amount | Dunning date | Delivery note number | Zahlungsdatum | Brutto | Steuersatz | Steuernummer | Auftragsnummer | Kundengruppe | Skonto | Montant TTC | Fecha de pago | Data di pagamento | Netzwerk | Quantity',
  },
  {
    label: 'Patients',
    options: 'patient_number | name | birth_date:date | admitted_on:date | ward | doctor',
    same: 'Patientennummer > patient_number | Geburtsdatum > birth_date:date | Aufnahmedatum > admitted_on:date | Station > ward | Arzt > doctor | Date de naissance > birth_date:date | Medico > doctor',
    other:
      'Discharged on | Entlassungsdatum | Room number | Bed number | Insurance number | Next appointment | Diagnosis | Blood type | Date of death | Krankenkasse | Zimmernummer | Date de sortie | Fecha de alta | Reward | Doctor phone | Place of birth | Geburtsort | Weight | Name of mother | Referral date',
  },
  {
    label: 'Contacts',
    options: 'company | contact_person | phone | email | city | postal_code | country',
    same: 'Firma > company | Ansprechpartner > contact_person | Telefon > phone | E-Mail > email | Ort > city | PLZ > postal_code | Land > country | Ville > city | Kod pocztowy > postal_code | Empresa > company',
    other:
      'Fax | Company size | Company number | City code | Country of birth | Email opt-in | Phone type | Street | Website | Last contact | Contact date | VAT ID | Mitarbeiterzahl | Straße | Telefonzentrale Notiz | Landkreis | Ortsteil | Rue | Geburtsland | Firmengründung | Newsletter',
  },
]
