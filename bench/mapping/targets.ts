import { Field } from '../../schemas/sheets/fields.ts'

const TARGETS = {
  contacts:
    'first_name last_name email phone mobile company job_title street city state postal_code country website birth_date:date notes owner created_at:date',
  employees:
    'employee_id first_name last_name email phone department job_title manager hire_date:date termination_date:date salary:number employment_type location gender birth_date:date',
  products:
    'sku name description category brand price:number compare_at_price:number cost:number currency quantity:number weight:number barcode image_url status tags',
  orders:
    'order_number order_date:date customer_email customer_name status currency subtotal:number shipping_cost:number tax:number discount:number total:number payment_method shipping_city shipping_country billing_city billing_country item_sku item_name quantity:number unit_price:number',
  invoices:
    'invoice_number invoice_date:date due_date:date customer_name customer_number net_amount:number tax_amount:number total_amount:number currency status payment_date:date description vat_id',
  transactions:
    'transaction_id date:date description amount:number currency balance:number counterparty iban category type fee:number status',
  shipments:
    'tracking_number carrier service ship_date:date delivery_date:date recipient_name recipient_street recipient_city recipient_postal_code recipient_country weight:number reference cost:number status',
  locations: 'id name type latitude:number longitude:number elevation:number city state country postal_code timezone',
  tickets:
    'ticket_id subject description status priority assignee requester type tags created_at:date updated_at:date resolved_at:date',
  kunden:
    'kundennummer vorname nachname firma strasse hausnummer plz ort land telefon mobil email geburtsdatum:date ust_id bemerkung',
} as const

export type Target = keyof typeof TARGETS

export const getTargetFields = (target: Target): Field[] =>
  TARGETS[target].split(' ').map((told) => {
    const [key, type = 'string'] = told.split(':')
    return Field.parse({ key, type })
  })
