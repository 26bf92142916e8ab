/** The small XML parts of a workbook with one sheet (`xl/sheet.xml`) and shared strings, for streamed workbooks. */

export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const renderRelation = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`
const renderRelations = (...all: string[]) =>
  `<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`
const renderOverride = (name: string, type: string) =>
  `<Override PartName="/xl/${name}.xml" ContentType="${TYPES}.${type}+xml"/>`

export const buildWorkbookParts = (): [name: string, xml: string][] => [
  [
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${renderOverride('workbook', 'sheet.main')}${renderOverride('sheet', 'worksheet')}${renderOverride('sharedStrings', 'sharedStrings')}</Types>`,
  ],
  ['_rels/.rels', renderRelations(renderRelation('r', 'officeDocument', 'xl/workbook.xml'))],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Data" sheetId="1" r:id="s"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    renderRelations(
      renderRelation('s', 'worksheet', 'sheet.xml'),
      renderRelation('t', 'sharedStrings', 'sharedStrings.xml'),
    ),
  ],
]
