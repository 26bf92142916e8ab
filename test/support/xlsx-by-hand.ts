import { strToU8, type Zippable, zipSync } from 'fflate'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'
export const STRICT = 'http://purl.oclc.org/ooxml/spreadsheetml/main'
const STRICT_RELATIONS = 'http://purl.oclc.org/ooxml/officeDocument/relationships'

export interface WorkbookDefinition {
  sheets: { name: string; data: string; state?: string; after?: string }[]
  strings?: string
  formats?: string[]
  builtIn?: number[]
  date1904?: boolean
  strict?: boolean
  prefix?: string
  parts?: Record<string, string | Uint8Array>
  stored?: boolean
}

export function buildWorkbookByHand(book: WorkbookDefinition): Buffer {
  const [main, relations] = book.strict ? [STRICT, STRICT_RELATIONS] : [MAIN, RELATIONS]
  const p = book.prefix ?? ''
  const xmlns = `xmlns${p && `:${p.slice(0, -1)}`}="${main}" xmlns:r="${relations}"`
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
  const sheets = book.sheets.map(
    ({ name, state }, i) =>
      `<${p}sheet name="${name}" sheetId="${i + 1}"${state ? ` state="${state}"` : ''} r:id="rId${i + 1}"/>`,
  )
  const renderRelation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${kind}" Target="${target}"/>`
  const codes = (book.formats ?? []).map((code, i) => `<${p}numFmt numFmtId="${164 + i}" formatCode="${code}"/>`)
  const styles = [0, ...(book.formats ?? []).map((_, i) => 164 + i), ...(book.builtIn ?? [])]
  const parts: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': `${head}<Relationships xmlns="${PACKAGE}">${renderRelation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `${head}<${p}workbook ${xmlns}><${p}workbookPr${book.date1904 ? ' date1904="1"' : ''}/><${p}sheets>${sheets.join('')}</${p}sheets></${p}workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${PACKAGE}">${book.sheets.map((_, i) => renderRelation(`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`)).join('')}${renderRelation('rIdS', 'styles', 'styles.xml')}${renderRelation('rIdT', 'sharedStrings', '/xl/sharedStrings.xml')}</Relationships>`,
    'xl/styles.xml': `${head}<${p}styleSheet ${xmlns}><${p}numFmts>${codes.join('')}</${p}numFmts><${p}cellStyleXfs><${p}xf numFmtId="14"/></${p}cellStyleXfs><${p}cellXfs>${styles.map((id) => `<${p}xf numFmtId="${id}"/>`).join('')}</${p}cellXfs></${p}styleSheet>`,
  }
  if (book.strings !== undefined) parts['xl/sharedStrings.xml'] = `${head}<${p}sst ${xmlns}>${book.strings}</${p}sst>`
  book.sheets.forEach(({ data, after = '' }, i) => {
    parts[`xl/worksheets/sheet${i + 1}.xml`] = data.startsWith('<?xml')
      ? data
      : `${head}<${p}worksheet ${xmlns}><${p}sheetData>${data}</${p}sheetData>${after}</${p}worksheet>`
  })
  return createZip({ ...parts, ...book.parts }, book.stored ? 0 : 6)
}

export function createZip(parts: Record<string, string | Uint8Array>, level: 0 | 6 = 6): Buffer {
  const files: Zippable = {}
  for (const [name, part] of Object.entries(parts)) files[name] = typeof part === 'string' ? strToU8(part) : part
  return Buffer.from(zipSync(files, { level }))
}
