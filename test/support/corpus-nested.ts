import { gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import type { CorpusFile } from './corpus-file.ts'
import { buildWorkbookByHand, createZip } from './xlsx-by-hand.ts'

type Expected = CorpusFile['tables']
const oneTable = (columns: string[], rows: (string | null)[][]): Expected => [{ columns, rows }]
const createFile = (
  category: string,
  name: string,
  bytes: string | Buffer,
  tables: Expected,
  options?: CorpusFile['options'],
): CorpusFile => ({
  ...{ category, name, tables, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes },
  ...(options ? { options } : {}),
})
const createJsonFile = (name: string, text: string, tables: Expected) => createFile('JSON', name, text, tables)
const createXmlFile = (name: string, text: string | Buffer, tables: Expected) => createFile('XML', name, text, tables)
const createArchive = (name: string, bytes: Buffer, tables: Expected) => createFile('archives', name, bytes, tables)
const createFixedWidth = (name: string, text: string | Buffer, widths: number[], tables: Expected) =>
  createFile('fixed columns', name, text, tables, { widths })

const AB = oneTable(['a', 'b'], [['1', '2']])

const inlineCell = (ref: string, text: string) => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`
const AB_ROWS = `<row r="1">${inlineCell('A1', 'a')}${inlineCell('B1', 'b')}</row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>`
const book = buildWorkbookByHand({ sheets: [{ name: 'S', data: AB_ROWS }] })
const widerBook = buildWorkbookByHand({
  strings: '<si><t>a</t></si><si><t>far</t></si>',
  sheets: [
    { name: 'First', data: AB_ROWS },
    {
      name: 'Second',
      data: `<row r="1"><c t="s"><v>0</v></c></row>${Array.from({ length: 250 }, (_, i) => `<row r="${i + 2}"><c><v>${i}</v></c></row>`).join('')}<row r="252"><c r="C252" t="s"><v>1</v></c></row>`,
    },
  ],
})
const WIDER_ROWS = [...Array.from({ length: 250 }, (_, i) => [String(i), null, null]), [null, null, 'far']]

export const NESTED: CorpusFile[] = [
  createJsonFile('list.json', '[{"a":1,"b":2}]', AB),
  createJsonFile('mark.json', '\ufeff[{"a":1,"b":2}]', AB),
  createJsonFile('spaced.json', ' \n[ { "a" : 1 ,\r\n "b" : 2 } ]\n', AB),
  createJsonFile(
    'sparse.json',
    '[{"a":1},{"b":"x"},{"a":null,"c":true}]',
    oneTable(
      ['a', 'b', 'c'],
      [
        ['1', null, null],
        [null, 'x', null],
        [null, null, 'true'],
      ],
    ),
  ),
  createJsonFile(
    'nested.json',
    '[{"n":{"first":"A","last":{"x":1}},"l":[1,"b",{"c":[]}]}]',
    oneTable(['n.first', 'n.last.x', 'l'], [['A', '1', '[1,"b",{"c":[]}]']]),
  ),
  createJsonFile(
    'exact.json',
    '[{"n":12345678901234567890,"d":1.10,"e":1e5,"z":-0}]',
    oneTable(['n', 'd', 'e', 'z'], [['12345678901234567890', '1.10', '1e5', '-0']]),
  ),
  createJsonFile(
    'texts.json',
    '[{"a":"\\u00e9\\n\\"\\\\","b":"\\ud83d\\ude00","c":""}]',
    oneTable(['a', 'b', 'c'], [['é\n"\\', '\u{1F600}', null]]),
  ),
  createJsonFile('sheets.json', '{"people":[{"n":"x"},{"n":"y"}],"things":[{"q":1}]}', [
    { name: 'people', columns: ['n'], rows: [['x'], ['y']] },
    { name: 'things', columns: ['q'], rows: [['1']] },
  ]),
  createJsonFile('page.json', '{"total":1,"tags":["x"],"data":[{"n":"x"}],"next":{"page":2}}', [
    { name: 'data', columns: ['n'], rows: [['x']] },
  ]),
  createJsonFile(
    'record.json',
    '{"n":1,"tags":["a","b"],"o":{"p":null}}',
    oneTable(['n', 'tags', 'o.p'], [['1', '["a","b"]', null]]),
  ),
  createJsonFile(
    'rows.json',
    '[["x",1],["y",2,3]]',
    oneTable(
      ['column 1', 'column 2', 'column 3'],
      [
        ['x', '1', null],
        ['y', '2', '3'],
      ],
    ),
  ),
  createJsonFile('values.json', '["x",1,null,true]', oneTable(['value'], [['x'], ['1'], ['true']])),
  createJsonFile(
    'lines in.json',
    '{"a":1,"b":2}\n{"a":3,"b":4}\n',
    oneTable(
      ['a', 'b'],
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ),
  ),
  createJsonFile(
    'lines.jsonl',
    '{"a":1}\n\n{"a":{"b":2}}',
    oneTable(
      ['a', 'a.b'],
      [
        ['1', null],
        [null, '2'],
      ],
    ),
  ),
  createJsonFile('lines.ndjson', '{"a":1}\r\n{"a":2}\r\n', oneTable(['a'], [['1'], ['2']])),
  createFile('JSON', 'wide.json', iconv.encode('\ufeff[{"a":"é"}]', 'utf-16le'), oneTable(['a'], [['é']])),

  createXmlFile(
    'list.xml',
    '<r><i><a>1</a><b>2</b></i><i><a>3</a></i></r>',
    oneTable(
      ['a', 'b'],
      [
        ['1', '2'],
        ['3', null],
      ],
    ),
  ),
  createXmlFile(
    'attributes.xml',
    '<r><i a="1" b="2"/><i a="3">text</i></r>',
    oneTable(
      ['@a', '@b', 'value'],
      [
        ['1', '2', null],
        ['3', null, 'text'],
      ],
    ),
  ),
  createXmlFile(
    'nested.xml',
    '<r><i><n><f>A</f></n><t>x</t><t>y</t><p c="EUR">5</p></i><i/></r>',
    oneTable(['n.f', 't', 'p.@c', 'p'], [['A', '["x","y"]', 'EUR', '5']]),
  ),
  createXmlFile(
    'wrapped.xml',
    '<r><head><v>1</v></head><list><i><a>1</a></i><i><a>2</a></i></list></r>',
    oneTable(['a'], [['1'], ['2']]),
  ),
  createXmlFile('kinds.xml', '<r><x><a>1</a></x><y><b>2</b></y><x><a>3</a></x><y><b>4</b></y></r>', [
    { name: 'x', columns: ['a'], rows: [['1'], ['3']] },
    { name: 'y', columns: ['b'], rows: [['2'], ['4']] },
  ]),
  createXmlFile('single.xml', '<people><person><name>A</name></person></people>', oneTable(['name'], [['A']])),
  createXmlFile('flat.xml', '<person><name>A</name><age>3</age></person>', oneTable(['name', 'age'], [['A', '3']])),
  createXmlFile(
    'namespaces.xml',
    '<n:r xmlns:n="u"><n:i><n:a>1</n:a></n:i><n:i><n:a>2</n:a></n:i></n:r>',
    oneTable(['a'], [['1'], ['2']]),
  ),
  createXmlFile(
    'cdata.xml',
    '<r><i><a><![CDATA[<b> & c]]></a></i><i><a>&lt;&#233;</a></i></r>',
    oneTable(['a'], [['<b> & c'], ['<é']]),
  ),
  createXmlFile(
    'latin.xml',
    Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><r><i><a>é</a></i><i><a>ü</a></i></r>', 'latin1'),
    oneTable(['a'], [['é'], ['ü']]),
  ),
  createXmlFile(
    'wide.xml',
    iconv.encode('\ufeff<?xml version="1.0" encoding="UTF-16"?><r><i><a>é</a></i><i><a>1</a></i></r>', 'utf-16le'),
    oneTable(['a'], [['é'], ['1']]),
  ),

  createArchive('one.zip', createZip({ 'people.csv': 'a,b\n1,2\n' }), [{ ...AB[0]!, name: 'people' }]),
  createArchive(
    'several.zip',
    createZip({
      'a.csv': 'a,b\n1,2\n',
      'b/c.json': '[{"a":1,"b":2}]',
      'd.jsonl': '{"a":1,"b":2}',
      'e.xml': '<r><i><a>1</a><b>2</b></i><i/></r>',
      'f.tsv': 'a\tb\n1\t2\n',
    }),
    ['a', 'c', 'd', 'e', 'f'].map((name) => ({ ...AB[0]!, name })),
  ),
  createArchive(
    'clutter.zip',
    createZip({ '__MACOSX/._a.csv': 'x', '.DS_Store': 'x', 'x/a.csv': 'a,b\n1,2\n', 'readme.md': '# x' }),
    [{ ...AB[0]!, name: 'a' }],
  ),
  createArchive(
    'alike.zip',
    createZip({ 'x/a.csv': 'a,b\n1,2\n', 'y/a.csv': 'a,b\n1,2\n' }),
    ['x/a.csv', 'y/a.csv'].map((name) => ({ ...AB[0]!, name })),
  ),
  createArchive(
    'tables.zip',
    createZip({ 'all.json': '{"p":[{"a":1,"b":2}],"q":[{"a":1,"b":2}]}' }),
    ['all p', 'all q'].map((name) => ({ ...AB[0]!, name })),
  ),
  createArchive(
    'wider below.zip',
    createZip({ 'a.csv': `a,b\n${'1,2\n'.repeat(300)}1,2,3\n`, 'b.csv': 'a,b\n1,2\n' }, 0),
    [
      {
        name: 'a',
        columns: ['a', 'b', 'column 3'],
        rows: [...Array.from({ length: 300 }, () => ['1', '2', null]), ['1', '2', '3']],
      },
      { ...AB[0]!, name: 'b' },
    ],
  ),
  createArchive('book.zip', createZip({ 'people.xlsx': book }), [{ ...AB[0]!, name: 'people S' }]),
  createArchive(
    'books.zip',
    createZip({ 'x/one.xlsx': widerBook, 'two.xlsm': book, 'three.csv': 'a,b\n1,2\n1,2,3\n' }),
    [
      { ...AB[0]!, name: 'one First' },
      { name: 'one Second', columns: ['a', 'column 2', 'column 3'], rows: WIDER_ROWS },
      { ...AB[0]!, name: 'two S' },
      {
        name: 'three',
        columns: ['a', 'b', 'column 3'],
        rows: [
          ['1', '2', null],
          ['1', '2', '3'],
        ],
      },
    ],
  ),
  createArchive('book.xlsx.gz', gzipSync(book), [{ ...AB[0]!, name: 'S' }]),
  createArchive('table.csv.gz', gzipSync('a,b\n1,2\n'), AB),
  createArchive('table.json.gz', gzipSync('[{"a":1,"b":2}]'), AB),
  createArchive('table.xml.gz', gzipSync('<r><i><a>1</a><b>2</b></i><i/></r>'), AB),
  createArchive(
    'latin.csv.gz',
    gzipSync(Buffer.from('Straße;Ort\nMüllerstraße 1;Köln am Rhein\n', 'latin1')),
    oneTable(['Straße', 'Ort'], [['Müllerstraße 1', 'Köln am Rhein']]),
  ),

  createFixedWidth(
    'plain.txt',
    'name  city   age\nAda   London 36\nBob   Rome   7 \n',
    [6, 7, 3],
    oneTable(
      ['name', 'city', 'age'],
      [
        ['Ada', 'London', '36'],
        ['Bob', 'Rome', '7'],
      ],
    ),
  ),
  createFixedWidth(
    'short lines.txt',
    'ab cd\nx\n\ny  z\n',
    [3, 2],
    oneTable(
      ['ab', 'cd'],
      [
        ['x', null],
        ['y', 'z'],
      ],
    ),
  ),
  createFixedWidth(
    'umlauts.txt',
    Buffer.from('größe  straße   \nüber   Köln     \n', 'latin1'),
    [7, 9],
    oneTable(['größe', 'straße'], [['über', 'Köln']]),
  ),
  createFixedWidth(
    'breaks.txt',
    'n  v\r\nx  1\r\ny  2',
    [3, 1],
    oneTable(
      ['n', 'v'],
      [
        ['x', '1'],
        ['y', '2'],
      ],
    ),
  ),
  createFile(
    'given options',
    'first.csv',
    'x,1\ny,2\n',
    oneTable(
      ['column 1', 'column 2'],
      [
        ['x', '1'],
        ['y', '2'],
      ],
    ),
    { headerRow: 0 },
  ),
  createFile('given options', 'third.csv', 'x,1\ny,2\nz,3\nu,4\n', oneTable(['z', '3'], [['u', '4']]), {
    headerRow: 3,
  }),
  createFile('given options', 'delimiter.csv', 'a:b,c\nx:1,2\n', oneTable(['a', 'b,c'], [['x', '1,2']]), {
    delimiter: ':',
  }),
]
