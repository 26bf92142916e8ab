import { Building2, Contact, IdCard, Target } from 'lucide-react'
import type { Template } from './build.ts'
import { ADDRESS, NOT_NEGATIVE } from './shared.ts'

const customers: Template = {
  id: 'customers',
  title: 'templateCustomers',
  text: 'templateCustomersText',
  Icon: Contact,
  name: 'Customers',
  sheets: [
    {
      name: 'Customers',
      fields: [
        ['Customer number', 'text', { required: true, unique: true, alsoCalled: ['Customer ID', 'Account number'] }],
        ['Company', 'text'],
        ['First name', 'text', { alsoCalled: ['Given name'] }],
        ['Last name', 'text', { required: true, alsoCalled: ['Surname', 'Family name'] }],
        ['Email', 'email', { required: true }],
        ['Phone', 'phone'],
        ...ADDRESS,
        ['Customer since', 'date'],
        ['Status', 'option', { options: ['Lead', 'Active', 'Inactive'] }],
        ['Newsletter', 'boolean', { description: 'Agreed to receive the newsletter' }],
      ],
    },
  ],
}

const employees: Template = {
  id: 'employees',
  title: 'templateEmployees',
  text: 'templateEmployeesText',
  Icon: IdCard,
  name: 'Employees',
  sheets: [
    {
      name: 'Employees',
      fields: [
        ['Employee number', 'text', { required: true, unique: true, alsoCalled: ['Employee ID', 'Staff number'] }],
        ['First name', 'text', { required: true }],
        ['Last name', 'text', { required: true }],
        ['Work email', 'email', { required: true, unique: true }],
        ['Phone', 'phone'],
        ['Date of birth', 'date'],
        ['Department', 'text'],
        ['Job title', 'text'],
        ['Manager', 'text', { description: 'Employee number of the manager' }],
        ['Employment', 'option', { options: ['Full-time', 'Part-time', 'Contractor', 'Intern'] }],
        ['Start date', 'date', { required: true }],
        ['End date', 'date'],
        ['Annual salary', 'number', { rules: [NOT_NEGATIVE] }],
      ],
      rules: [{ type: 'compare', config: { field: 'start_date', operator: 'lte', other: 'end_date' } }],
    },
  ],
}

const suppliers: Template = {
  id: 'suppliers',
  title: 'templateSuppliers',
  text: 'templateSuppliersText',
  Icon: Building2,
  name: 'Suppliers',
  sheets: [
    {
      name: 'Suppliers',
      fields: [
        ['Supplier number', 'text', { required: true, unique: true, alsoCalled: ['Vendor number', 'Vendor ID'] }],
        ['Company', 'text', { required: true, alsoCalled: ['Supplier', 'Vendor'] }],
        ['Contact person', 'text'],
        ['Email', 'email'],
        ['Phone', 'phone'],
        ['Website', 'url'],
        ...ADDRESS,
        ['Tax number', 'text', { alsoCalled: ['VAT ID', 'VAT number'] }],
        [
          'IBAN',
          'text',
          {
            rules: [
              {
                type: 'pattern',
                config: { pattern: '^[A-Z]{2}[0-9]{2}[A-Z0-9 ]{11,36}$', message: 'An IBAN starts with a country' },
              },
            ],
          },
        ],
        ['Payment terms (days)', 'number', { rules: [NOT_NEGATIVE] }],
      ],
    },
  ],
}

const leads: Template = {
  id: 'leads',
  title: 'templateLeads',
  text: 'templateLeadsText',
  Icon: Target,
  name: 'Leads',
  sheets: [
    {
      name: 'Leads',
      fields: [
        ['Name', 'text', { required: true }],
        ['Company', 'text'],
        ['Job title', 'text'],
        ['Email', 'email', { unique: true }],
        ['Phone', 'phone'],
        ['Source', 'option', { options: ['Website', 'Referral', 'Event', 'Advertising', 'Outbound', 'Other'] }],
        ['Status', 'option', { required: true, options: ['New', 'Contacted', 'Qualified', 'Lost'] }],
        ['Expected value', 'number', { rules: [NOT_NEGATIVE] }],
        ['Next step on', 'date'],
        ['Notes', 'text'],
      ],
      rules: [{ type: 'required-if', config: { field: 'email', when: '"phone" is empty' } }],
    },
  ],
}

export const PEOPLE = [customers, employees, leads, suppliers]
