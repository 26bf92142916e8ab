import { ArrowLeftRight, Laptop } from 'lucide-react'
import type { Template } from './build.ts'
import { CURRENCIES, NOT_NEGATIVE } from './shared.ts'

const transactions: Template = {
  id: 'transactions',
  title: 'templateTransactions',
  text: 'templateTransactionsText',
  Icon: ArrowLeftRight,
  name: 'Transactions',
  sheets: [
    {
      name: 'Transactions',
      fields: [
        ['Transaction ID', 'text', { required: true, unique: true }],
        ['Booked on', 'date', { required: true, alsoCalled: ['Date', 'Booking date'] }],
        ['Value date', 'date'],
        ['Amount', 'number', { required: true, description: 'Debits are negative' }],
        ['Currency', 'option', { required: true, options: CURRENCIES }],
        ['Counterparty', 'text', { alsoCalled: ['Payee', 'Payer', 'Beneficiary'] }],
        ['Account', 'text', { required: true, alsoCalled: ['IBAN', 'Account number'] }],
        ['Purpose', 'text', { alsoCalled: ['Reference', 'Description'] }],
        ['Category', 'text'],
      ],
    },
  ],
}

const assets: Template = {
  id: 'assets',
  title: 'templateAssets',
  text: 'templateAssetsText',
  Icon: Laptop,
  name: 'Assets',
  sheets: [
    {
      name: 'Assets',
      fields: [
        ['Asset number', 'text', { required: true, unique: true, alsoCalled: ['Asset tag', 'Inventory number'] }],
        ['Name', 'text', { required: true }],
        ['Type', 'option', { options: ['Computer', 'Phone', 'Vehicle', 'Machine', 'Furniture', 'Software', 'Other'] }],
        ['Serial number', 'text', { unique: true }],
        ['Manufacturer', 'text'],
        ['Bought on', 'date', { required: true }],
        ['Price', 'number', { rules: [NOT_NEGATIVE] }],
        ['Currency', 'option', { options: CURRENCIES }],
        ['Warranty until', 'date'],
        ['Location', 'text'],
        ['Assigned to', 'email'],
        ['Status', 'option', { options: ['In use', 'In stock', 'In repair', 'Retired'] }],
      ],
      rules: [{ type: 'compare', config: { field: 'bought_on', operator: 'lte', other: 'warranty_until' } }],
    },
  ],
}

export const MONEY = [transactions, assets]
