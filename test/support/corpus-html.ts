import type { CorpusFile } from './corpus-file.ts'

const createPage = (name: string, html: string | Buffer, tables: CorpusFile['tables']): CorpusFile => ({
  category: 'HTML',
  name,
  bytes: Buffer.from(html),
  tables,
})

export const PAGES: CorpusFile[] = [
  createPage(
    'report.html',
    `<!DOCTYPE html><html><head><meta charset="utf-8"><title>Report</title><script>document.write("<table><tr><td>no</td></tr></table>")</script></head>
    <body><p>Members</p><table><thead><tr><th>Name</th><th>Town</th></tr></thead>
    <tbody><tr><td>Ada &amp; Bob</td><td> New
      York </td></tr><tr><td>Zo&euml;<br>B.</td><td></td></tr><tr><td><script>no()</script>Eve</td><td>Ulm</td></tr></tbody></table></body></html>`,
    [
      {
        name: 'report',
        columns: ['Name', 'Town'],
        rows: [
          ['Ada & Bob', 'New York'],
          ['Zoë\nB.', null],
          ['Eve', 'Ulm'],
        ],
      },
    ],
  ),
  createPage('without end tags.htm', '<table><tr><td>Name<td>Town<tr><td>Ada<td>Bonn<tr><td>Bob<td>Ulm</table>', [
    {
      name: 'without end tags',
      columns: ['Name', 'Town'],
      rows: [
        ['Ada', 'Bonn'],
        ['Bob', 'Ulm'],
      ],
    },
  ]),
  createPage(
    'export.xls',
    Buffer.from(
      `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><meta http-equiv=Content-Type content="text/html; charset=iso-8859-1">
      <table><tr><td>Gr\xf6\xdfe</td><td>Preis</td></tr><tr><td x:num>12</td><td>3,50 \x80</td></tr></table></html>`,
      'latin1',
    ),
    [{ name: 'export', columns: ['Größe', 'Preis'], rows: [['12', '3,50 €']] }],
  ),
  createPage(
    'layout.html',
    `<table><tr><td>Menu</td><td><table><tr><th>Name</th><th>Age</th></tr><tr><td>Ada</td><td>36</td></tr></table></td></tr></table>
    <table><tr><th>Town</th><th>Area</th></tr><tr><td>Bonn</td><td>141</td></tr></table>`,
    [
      { name: 'Table 1', columns: ['Name', 'Age'], rows: [['Ada', '36']] },
      { name: 'Table 2', columns: ['Town', 'Area'], rows: [['Bonn', '141']] },
    ],
  ),
  createPage(
    'spans.html',
    `<table><tr><th>Region</th><th>Town</th><th>People</th></tr><tr><td rowspan="2">West</td><td>Bonn</td><td>330000</td></tr>
    <tr><td>Köln</td><td>1080000</td></tr><tr><td colspan="2">All</td><td>1410000</td></tr></table>`,
    [
      {
        name: 'spans',
        columns: ['Region', 'Town', 'People'],
        rows: [
          ['West', 'Bonn', '330000'],
          [null, 'Köln', '1080000'],
          ['All', null, '1410000'],
        ],
      },
    ],
  ),
  {
    ...createPage(
      'filled spans.html',
      `<table><tr><th>Region</th><th>Town</th></tr><tr><td rowspan="2">West</td><td>Bonn</td></tr><tr><td>Köln</td></tr></table>`,
      [
        {
          name: 'filled spans',
          columns: ['Region', 'Town'],
          rows: [
            ['West', 'Bonn'],
            ['West', 'Köln'],
          ],
        },
      ],
    ),
    options: { mergedCellOptions: { acrossRows: { treatment: 'applyToAll' } } },
  },
]
