import { KEY_FIELDS } from './blueprint.ts'
import { findOrCreateWorkbook, printErrors, wharf } from './workbook.ts'

const { sheets = [] } = await findOrCreateWorkbook()
for (const { id, name, slug } of sheets) {
  const { data: duplicates } = await wharf.quality.duplicates(id, { fields: [KEY_FIELDS[slug!]!] })
  if (duplicates.length === 0) continue
  const { updated, deleted } = await wharf.quality.merge(id, { merges: duplicates.map(({ merge }) => merge) })
  console.log(`${name}: duplicates merged, ${deleted} deleted, ${updated} updated`)
}
await printErrors()
