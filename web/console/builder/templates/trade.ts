import { FileText, Package, ShoppingCart, Warehouse } from 'lucide-react'
import type { Template } from './build.ts'
import { CURRENCIES, NOT_NEGATIVE, PERCENT } from './shared.ts'

const MORE_THAN_ZERO = { type: 'range', config: { gt: 0 } }

const products: Template = {
  id: 'products',
  title: 'templateProducts',
  text: 'templateProductsText',
  Icon: Package,
  name: 'Products',
  sheets: [
    {
      name: 'Products',
      fields: [
        ['SKU', 'text', { required: true, unique: true, alsoCalled: ['Product number', 'Item number', 'Article'] }],
        ['Name', 'text', { required: true, alsoCalled: ['Product name', 'Title'] }],
        ['Description', 'text'],
        ['Category', 'text'],
        ['Brand', 'text'],
        ['Price', 'number', { required: true, rules: [NOT_NEGATIVE] }],
        ['Currency', 'option', { required: true, options: CURRENCIES }],
        ['Tax rate (%)', 'number', { rules: [PERCENT] }],
        [
          'GTIN',
          'text',
          {
            alsoCalled: ['EAN', 'UPC', 'Barcode'],
            rules: [{ type: 'pattern', config: { pattern: '^[0-9]{8,14}$', message: 'A GTIN has 8 to 14 digits' } }],
          },
        ],
        ['Weight (kg)', 'number', { rules: [NOT_NEGATIVE] }],
        ['Image', 'url'],
        ['Available', 'boolean'],
      ],
    },
  ],
}

const orders: Template = {
  id: 'orders',
  title: 'templateOrders',
  text: 'templateOrdersText',
  Icon: ShoppingCart,
  name: 'Orders',
  sheets: [
    {
      name: 'Orders',
      fields: [
        ['Order number', 'text', { required: true, unique: true }],
        ['Customer number', 'text', { required: true }],
        ['Order date', 'date', { required: true }],
        ['Delivery date', 'date'],
        ['Status', 'option', { required: true, options: ['Open', 'Shipped', 'Delivered', 'Canceled', 'Returned'] }],
        ['Currency', 'option', { options: CURRENCIES }],
        ['Note', 'text'],
      ],
      rules: [{ type: 'compare', config: { field: 'order_date', operator: 'lte', other: 'delivery_date' } }],
    },
    {
      name: 'Order lines',
      fields: [
        ['Order number', 'reference', { required: true, refersTo: ['orders', 'order_number'] }],
        ['Line', 'number', { required: true, rules: [MORE_THAN_ZERO] }],
        ['SKU', 'text', { required: true }],
        ['Quantity', 'number', { required: true, rules: [MORE_THAN_ZERO] }],
        ['Unit price', 'number', { required: true, rules: [NOT_NEGATIVE] }],
        ['Discount (%)', 'number', { rules: [PERCENT] }],
      ],
      rules: [{ type: 'unique', name: 'line', fields: ['order_number', 'line'] }],
    },
  ],
}

const invoices: Template = {
  id: 'invoices',
  title: 'templateInvoices',
  text: 'templateInvoicesText',
  Icon: FileText,
  name: 'Invoices',
  sheets: [
    {
      name: 'Invoices',
      fields: [
        ['Invoice number', 'text', { required: true, unique: true }],
        ['Customer number', 'text', { required: true }],
        ['Invoice date', 'date', { required: true }],
        ['Due date', 'date', { required: true }],
        ['Net amount', 'number', { required: true }],
        ['Tax amount', 'number'],
        ['Total amount', 'number', { required: true }],
        ['Currency', 'option', { required: true, options: CURRENCIES }],
        ['Status', 'option', { options: ['Open', 'Paid', 'Overdue', 'Canceled'] }],
        ['Paid on', 'date'],
      ],
      rules: [
        { type: 'compare', config: { field: 'invoice_date', operator: 'lte', other: 'due_date' } },
        { type: 'required-if', config: { field: 'paid_on', when: '"status" eq "Paid"' } },
      ],
    },
  ],
}

const inventory: Template = {
  id: 'inventory',
  title: 'templateInventory',
  text: 'templateInventoryText',
  Icon: Warehouse,
  name: 'Inventory',
  sheets: [
    {
      name: 'Stock',
      fields: [
        ['SKU', 'text', { required: true }],
        ['Location', 'text', { required: true, alsoCalled: ['Warehouse', 'Store'] }],
        ['Quantity', 'number', { required: true, rules: [NOT_NEGATIVE] }],
        ['Unit', 'option', { options: ['Piece', 'Box', 'Pallet', 'kg', 'l', 'm'] }],
        ['Reorder below', 'number', { rules: [NOT_NEGATIVE] }],
        ['Batch', 'text'],
        ['Best before', 'date'],
        ['Counted on', 'date'],
      ],
      rules: [{ type: 'unique', name: 'place', fields: ['sku', 'location', 'batch'] }],
    },
  ],
}

export const TRADE = [products, orders, invoices, inventory]
