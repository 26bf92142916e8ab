import type { Body } from '@wharf/sdk'

export const SPACE_NAME = 'CRM import'
export const SEND_OPERATION = 'sendToCrm'
export const KEY_FIELDS: Record<string, string> = { companies: 'domain', contacts: 'email' }

type Workbook = Omit<Body<'workbooks.create'>, 'spaceId'>

export const CRM_WORKBOOK: Workbook = {
  name: 'CRM',
  sheets: [
    {
      name: 'Companies',
      slug: 'companies',
      fields: [
        { key: 'name', type: 'string', label: 'Company', constraints: [{ type: 'required' }] },
        { key: 'domain', type: 'string', label: 'Domain', constraints: [{ type: 'required' }, { type: 'unique' }] },
        {
          key: 'country',
          type: 'enum',
          label: 'Country',
          config: { options: ['AT', 'DE', 'FR', 'GB', 'IT'].map((value) => ({ value })) },
        },
        { key: 'employees', type: 'number', label: 'Employees' },
        { key: 'revenue', type: 'number', label: 'Annual revenue' },
      ],
    },
    {
      name: 'Contacts',
      slug: 'contacts',
      fields: [
        { key: 'firstName', type: 'string', label: 'First name' },
        { key: 'lastName', type: 'string', label: 'Last name', constraints: [{ type: 'required' }] },
        {
          key: 'email',
          type: 'string',
          label: 'E-mail',
          constraints: [{ type: 'required' }, { type: 'unique' }, { type: 'email' }],
        },
        { key: 'phone', type: 'string', label: 'Phone', constraints: [{ type: 'phone' }] },
        {
          key: 'company',
          type: 'reference',
          label: 'Company',
          config: { ref: 'companies', key: 'domain', relationship: 'has-one' },
        },
        { key: 'since', type: 'date', label: 'Customer since' },
        { key: 'newsletter', type: 'boolean', label: 'Newsletter' },
      ],
    },
  ],
  actions: [{ operation: SEND_OPERATION, label: 'Send to the CRM', mode: 'foreground', primary: true }],
}
