import type { Body } from '@wharf/sdk'

/** The blueprint: every space that this project configures gets this workbook. */
export const contacts = {
  name: 'Contacts',
  sheets: [
    {
      name: 'Contacts',
      slug: 'contacts',
      fields: [
        { key: 'email', label: 'Email', type: 'string', constraints: [{ type: 'required' }, { type: 'unique' }] },
        { key: 'name', label: 'Name', type: 'string' },
        { key: 'born', label: 'Date of birth', type: 'date' },
      ],
    },
  ],
  actions: [{ operation: 'submit', label: 'Submit', mode: 'foreground', primary: true }],
} satisfies Omit<Body<'workbooks.create'>, 'spaceId'>
