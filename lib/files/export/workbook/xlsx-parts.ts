import { escapeXml, INVALID_XML, XML_HEADER } from './xml.ts'

export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
export const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
export const DATE_STYLE = 1
export const HEADER_STYLE = 2

/** Encodes invalid characters as `_xHHHH_`, and escapes text that already looks so. */
export const escapeCellText = (text: string): string =>
  escapeXml(
    text
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replace(INVALID_XML, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`),
  )

const buildWorkbookXml = (names: readonly string[]): string =>
  `${XML_HEADER}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${names
    .map((name, i) => `<sheet name="${escapeCellText(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
    .join('')}</sheets></workbook>`

const buildRelationships = (targets: readonly (readonly [kind: string, target: string])[]): string =>
  `${XML_HEADER}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(([kind, target], i) => `<Relationship Id="rId${i + 1}" Type="${DOCUMENT}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`

function buildContentTypes(sheets: readonly { comments?: boolean }[]): string {
  const buildOverride = (name: string, type: string) =>
    `<Override PartName="/xl/${name}" ContentType="${TYPES}.${type}+xml"/>`
  const parts = sheets.map(
    ({ comments }, i) =>
      buildOverride(`worksheets/sheet${i + 1}.xml`, 'worksheet') +
      (comments ? buildOverride(`comments${i + 1}.xml`, 'comments') : ''),
  )
  const drawings = sheets.some(({ comments }) => comments)
    ? '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>'
    : ''
  return `${XML_HEADER}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${drawings}${buildOverride('workbook.xml', 'sheet.main')}${buildOverride('styles.xml', 'styles')}${parts.join('')}</Types>`
}

const STYLES = `${XML_HEADER}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`

export function buildParts(
  sheets: readonly { comments?: boolean }[],
  names: readonly string[],
): (readonly [name: string, xml: string])[] {
  const sheetTargets = sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const)
  return [
    ['[Content_Types].xml', buildContentTypes(sheets)],
    ['_rels/.rels', buildRelationships([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', buildWorkbookXml(names)],
    ['xl/_rels/workbook.xml.rels', buildRelationships([...sheetTargets, ['styles', 'styles.xml']])],
    ['xl/styles.xml', STYLES],
    ...sheets.flatMap(({ comments }, i) => (comments ? [buildSheetRelations(i + 1)] : [])),
  ]
}

const buildSheetRelations = (number: number) =>
  [
    `xl/worksheets/_rels/sheet${number}.xml.rels`,
    buildRelationships([
      ['vmlDrawing', `../drawings/vmlDrawing${number}.vml`],
      ['comments', `../comments${number}.xml`],
    ]),
  ] as const
