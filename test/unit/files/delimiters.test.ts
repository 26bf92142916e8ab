/** Delimiters that also occur in the values: the header decides. */
import { describe, expect, it } from 'vitest'
import { sniff } from '../../../lib/files/sniff.ts'

const createFile = (header: string, row: (index: number) => string) =>
  Buffer.from([header, ...Array.from({ length: 100 }, (_, index) => row(index))].join('\n'))

describe('delimiter detection', () => {
  it.each([
    ['times', ',', 'id,createdAt', (index: number) => `${index},2024-01-01T12:${index % 60}:00`],
    ['spans', ',', 'name,start,end', (index: number) => `n${index},12:30,13:45`],
    ['times under a bar', '|', 'id|when', (index: number) => `${index}|12:30:11`],
    ['decimal commas', ';', 'Netto;Brutto', (index: number) => `0,${index};1,${index}`],
    ['addresses', '\t', 'name\taddress', (index: number) => `n${index}\tStreet ${index}, Town, Country`],
    ['tags', ',', 'id,tags', (index: number) => `${index},a;b;c`],
    ['web addresses', ',', 'url', (index: number) => `https://x.y:80/${index}`],
  ])('is not misled by values: %s', (_name, delimiter, header, row) => {
    const found = sniff(createFile(header, row))
    expect(found.dialect.delimiter).toBe(delimiter)
    expect(found.header).toEqual(header.split(delimiter))
  })

  it('accepts numbers as column names when the rows below have another type', () => {
    expect(sniff(createFile('country,2020,2021,2022', (index) => `c${index},1,2,3`)).header).toEqual([
      'country',
      '2020',
      '2021',
      '2022',
    ])
  })
})
