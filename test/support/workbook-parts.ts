/** The small parts of a workbook with one sheet (`xl/sheet.xml`) and shared texts, for workbooks that are written as they stream. */

const relation = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="x/${kind}" Target="${target}"/>`

export const workbookParts = (): [name: string, xml: string][] => [
  ['[Content_Types].xml', '<Types/>'],
  ['_rels/.rels', `<Relationships>${relation('r', 'officeDocument', 'xl/workbook.xml')}</Relationships>`],
  ['xl/workbook.xml', '<workbook xmlns:r="r"><sheets><sheet name="Data" r:id="s"/></sheets></workbook>'],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships>${relation('s', 'worksheet', 'sheet.xml')}${relation('t', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
  ],
]
