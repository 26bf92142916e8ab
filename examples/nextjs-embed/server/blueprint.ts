import type { Body } from '@wharf/sdk'

export const ORDERS = {
  name: 'Orders',
  sheets: [
    {
      name: 'Orders',
      slug: 'orders',
      fields: [
        {
          key: 'number',
          label: 'Order number',
          type: 'string',
          constraints: [{ type: 'required' }, { type: 'unique' }],
        },
        { key: 'customer', label: 'Customer', type: 'string', constraints: [{ type: 'required' }] },
        { key: 'date', label: 'Date', type: 'date' },
        { key: 'amount', label: 'Amount', type: 'number', constraints: [{ type: 'required' }] },
      ],
    },
  ],
  actions: [{ operation: 'submit', label: 'Submit', mode: 'foreground', primary: true }],
} satisfies Omit<Body<'workbooks.create'>, 'spaceId'>
