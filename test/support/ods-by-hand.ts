import { createZip } from './xlsx-by-hand.ts'

export const ODS_TYPE = 'application/vnd.oasis.opendocument.spreadsheet'

export const createOds = (...tables: string[]): Buffer =>
  createZip({
    mimetype: ODS_TYPE,
    'content.xml': `<?xml version="1.0"?><office:document-content><office:body><office:spreadsheet>${tables
      .map((rows, at) => `<table:table table:name="${at === 0 ? 'Data' : `Data ${at + 1}`}">${rows}</table:table>`)
      .join('')}</office:spreadsheet></office:body></office:document-content>`,
  })
