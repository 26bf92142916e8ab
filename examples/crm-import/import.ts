import { basename } from 'node:path'
import { openFile } from '@wharf/sdk/node'
import { KEY_FIELDS } from './blueprint.ts'
import { findOrCreateWorkbook, printErrors, wharf } from './workbook.ts'

async function importFile(path: string, sheetId: string, keyField: string): Promise<void> {
  const { counts: before } = await wharf.cells.counts(sheetId)
  const { counts, unmappedColumns } = await wharf.importFile(await openFile(path), {
    sheetId,
    ...(before.total === 0 ? { importMode: 'add' } : { importMode: 'upsert', keyFields: [keyField] }),
  })
  const { created, updated, unchanged } = counts
  console.log(`${basename(path)}: ${created} created, ${updated} updated, ${unchanged} unchanged`)
  if (unmappedColumns.length > 0) console.log(`  not imported: ${unmappedColumns.join(', ')}`)
}

const { sheets = [] } = await findOrCreateWorkbook()
for (const path of process.argv.slice(2)) {
  const sheet = sheets.find(({ slug }) => basename(path).startsWith(slug!))
  if (!sheet) throw new Error(`${path} must be named after its sheet: ${sheets.map(({ slug }) => slug).join(' or ')}`)
  await importFile(path, sheet.id, KEY_FIELDS[sheet.slug!]!)
}
await printErrors()
