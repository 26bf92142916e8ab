/** Empty tables with the names of a sheet's fields, to be filled in. */
import { saveBlob } from '../../shared/api/client.ts'
import type { Sheet } from '../queries.ts'
import { nameOfField } from './field-words.ts'

const listNames = ({ config }: Sheet): string[] => config.fields.filter(({ readonly }) => !readonly).map(nameOfField)

const quote = (text: string): string => (/[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Spreadsheets recognize UTF-8 by the mark at the start. */
export const buildCsvTemplate = (sheet: Sheet): string => `\ufeff${listNames(sheet).map(quote).join(',')}\r\n`

const escapeXml = (text: string): string => text.replace(/[<>&"]/g, (sign) => `&#${sign.codePointAt(0)};`)

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const MAX_SHEET_NAME_LENGTH = 31

const toSheetName = (name: string): string =>
  name
    .replace(/[[\]:*?/\\]/g, ' ')
    .slice(0, MAX_SHEET_NAME_LENGTH)
    .trim() || 'Sheet1'

function buildParts(sheet: Sheet): Record<string, string> {
  const cells = listNames(sheet).map((name) => `<c t="inlineStr"><is><t>${escapeXml(name)}</t></is></c>`)
  return {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT_TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT_TYPE}.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escapeXml(toSheetName(sheet.name))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData><row>${cells.join('')}</row></sheetData></worksheet>`,
  }
}

export async function buildXlsxTemplate(sheet: Sheet): Promise<Uint8Array<ArrayBuffer>> {
  const { strToU8, zipSync } = await import('fflate')
  const parts = Object.entries(buildParts(sheet)).map(([path, xml]) => [path, strToU8(XML + xml)] as const)
  return zipSync(Object.fromEntries(parts)) as Uint8Array<ArrayBuffer>
}

export async function saveTemplate(sheet: Sheet, format: 'csv' | 'xlsx'): Promise<void> {
  const content = format === 'csv' ? buildCsvTemplate(sheet) : await buildXlsxTemplate(sheet)
  saveBlob(new Blob([content]), `${sheet.name}.${format}`)
}
