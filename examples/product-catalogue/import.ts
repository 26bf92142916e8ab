import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Wharf } from '@wharf/sdk'
import { openFile } from '@wharf/sdk/node'
import { CATALOGUE } from './blueprint.ts'

const [input, output] = process.argv.slice(2) as [string, string]
const SPELLING = { method: 'distance', radius: 1 } as const
const STATUSES = [{ from: 'auslaufend', to: 'discontinued' }]
const wharf = new Wharf({ token: process.env.KEY!, baseUrl: process.env.URL! })

const space = await wharf.spaces.create({ name: 'Product catalogue' })
const { sheets = [] } = await wharf.workbooks.create({ ...CATALOGUE, spaceId: space.id })
const [, products, variants] = sheets.map(({ id }) => id) as [string, string, string]

const { id: fileId } = await wharf.files.upload(await openFile(input), { spaceId: space.id })
for (const [table, sheetId] of [
  ['Produkte', products],
  ['Varianten', variants],
] as const) {
  const { counts, unmappedColumns } = await wharf.importFile({ fileId }, { sheetId, table })
  console.log(`${table}: ${counts.valid} valid, ${counts.invalid} with errors, not imported: ${unmappedColumns.length}`)
}

await unifySpellings(products, 'category')
await unifySpellings(products, 'brand')
const { created } = await wharf.quality.createMissing(products, { fieldKey: 'category' })
console.log(`Created ${created} missing categories`)
await wharf.quality.edit(products, { edit: { type: 'replace', fieldKey: 'status', replacements: STATUSES } })
for (const sheetId of [products, variants]) await fixErrors(sheetId)
await pipeline(Readable.from(formatProducts()), createWriteStream(output))

async function unifySpellings(sheetId: string, fieldKey: string): Promise<void> {
  for (const { values, suggestion, fix } of (await wharf.quality.clusters(sheetId, { fieldKey, ...SPELLING })).data) {
    if (!fix) continue
    await wharf.quality.edit(sheetId, { edit: fix })
    console.log(`${fieldKey}: ${values.map(({ value }) => value).join(', ')} are now ${suggestion}`)
  }
}

async function fixErrors(sheetId: string): Promise<void> {
  for (const { fix } of (await wharf.quality.groups(sheetId)).data)
    if (fix) await wharf.quality.edit(sheetId, { edit: fix })
  for (const { fieldKey, count, message, examples } of (await wharf.quality.groups(sheetId)).data)
    console.log(`${count} x ${fieldKey} ${JSON.stringify(examples[0]?.value)}: ${message}`)
}

async function* formatProducts(): AsyncGenerator<string> {
  const variantsByProduct = new Map<unknown, object[]>()
  for await (const { values } of wharf.records.stream(variants, { filter: 'valid' })) {
    const { product, ...variant } = values
    variantsByProduct.set(product, [...(variantsByProduct.get(product) ?? []), variant])
  }
  for await (const { values } of wharf.records.stream(products, { filter: 'valid' }))
    yield `${JSON.stringify({ ...values, variants: variantsByProduct.get(values.number) ?? [] })}\n`
}
