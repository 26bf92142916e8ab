/** Files of every kind are read as what they are meant to be; the table of results is printed. */
import Table from 'cli-table3'
import { afterAll, describe, expect, it } from 'vitest'
import { CORPUS } from '../../support/corpus.ts'
import { readTables } from '../../support/read-tables.ts'

const results = new Map<string, { files: number; right: number }>()

describe.each([...new Set(CORPUS.map(({ category }) => category))])('%s', (category) => {
  it.each(CORPUS.filter((file) => file.category === category))('$name', async ({ name, bytes, options, tables }) => {
    const result = results.get(category) ?? { files: 0, right: 0 }
    results.set(category, { ...result, files: result.files + 1 })
    const read = await readTables(name, await bytes, options)
    expect(read.map(({ name, hidden, columns, rows }) => ({ name, hidden, columns, rows }))).toEqual(
      tables.map((table) => ({ name: undefined, hidden: false, ...table })),
    )
    results.get(category)!.right++
  })
})

it('of at least 150 files there are', () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(150)
})

afterAll(() => {
  const table = new Table({ head: ['files', 'read as meant', 'of'], style: { head: [], border: [], compact: true } })
  for (const [category, { files, right }] of results) table.push([category, right, files])
  console.log(table.toString())
})
