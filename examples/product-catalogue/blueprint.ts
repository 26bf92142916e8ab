import type { Body } from '@wharf/sdk'

export const CATALOGUE: Omit<Body<'workbooks.create'>, 'spaceId'> = {
  name: 'Catalogue',
  sheets: [
    {
      name: 'Categories',
      slug: 'categories',
      fields: [{ key: 'name', type: 'string', constraints: [{ type: 'required' }, { type: 'unique' }] }],
    },
    {
      name: 'Products',
      slug: 'products',
      fields: [
        {
          key: 'number',
          type: 'string',
          label: 'Item number',
          constraints: [{ type: 'required' }, { type: 'unique' }],
        },
        { key: 'name', type: 'string', label: 'Product name', constraints: [{ type: 'required' }] },
        {
          key: 'category',
          type: 'reference',
          label: 'Category',
          config: { ref: 'categories', key: 'name', relationship: 'has-one' },
        },
        { key: 'brand', type: 'string', label: 'Brand' },
        { key: 'price', type: 'number', label: 'Price', constraints: [{ type: 'required' }] },
        { key: 'weight', type: 'number', label: 'Weight (kg)' },
        {
          key: 'status',
          type: 'enum',
          label: 'Status',
          config: { options: ['active', 'discontinued'].map((value) => ({ value })) },
        },
      ],
    },
    {
      name: 'Variants',
      slug: 'variants',
      fields: [
        { key: 'sku', type: 'string', label: 'SKU', constraints: [{ type: 'required' }, { type: 'unique' }] },
        {
          key: 'product',
          type: 'reference',
          label: 'Item number',
          config: { ref: 'products', key: 'number', relationship: 'has-one' },
        },
        { key: 'color', type: 'string', label: 'Colour' },
        {
          key: 'size',
          type: 'enum',
          label: 'Size',
          config: { options: ['S', 'M', 'L', 'XL'].map((value) => ({ value })) },
        },
        { key: 'stock', type: 'number', label: 'Stock', constraints: [{ type: 'range', config: { gte: 0 } }] },
      ],
    },
  ],
}
