/** JSON, XML, archives and fixed columns, with what is to be read of them. */
import { gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import type { CorpusFile } from './corpus-file.ts'
import { workbookByHand, zipOf } from './xlsx-by-hand.ts'

type Expected = CorpusFile['tables']
const one = (columns: string[], rows: (string | null)[][]): Expected => [{ columns, rows }]
const file = (
  category: string,
  name: string,
  bytes: string | Buffer,
  tables: Expected,
  options?: CorpusFile['options'],
): CorpusFile => ({
  ...{ category, name, tables, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes },
  ...(options ? { options } : {}),
})
const json = (name: string, text: string, tables: Expected) => file('JSON', name, text, tables)
const xml = (name: string, text: string | Buffer, tables: Expected) => file('XML', name, text, tables)
const archive = (name: string, bytes: Buffer, tables: Expected) => file('archives', name, bytes, tables)
const fixed = (name: string, text: string | Buffer, widths: number[], tables: Expected) =>
  file('fixed columns', name, text, tables, { widths })

const AB = one(['a', 'b'], [['1', '2']])

const cell = (ref: string, text: string) => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`
const AB_ROWS = `<row r="1">${cell('A1', 'a')}${cell('B1', 'b')}</row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>`
const book = workbookByHand({ sheets: [{ name: 'S', data: AB_ROWS }] })
/** The last row is wider than the first ones; texts are shared. */
const widerBook = workbookByHand({
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
  json('list.json', '[{"a":1,"b":2}]', AB),
  json('mark.json', '\ufeff[{"a":1,"b":2}]', AB),
  json('spaced.json', ' \n[ { "a" : 1 ,\r\n "b" : 2 } ]\n', AB),
  json(
    'sparse.json',
    '[{"a":1},{"b":"x"},{"a":null,"c":true}]',
    one(
      ['a', 'b', 'c'],
      [
        ['1', null, null],
        [null, 'x', null],
        [null, null, 'true'],
      ],
    ),
  ),
  json(
    'nested.json',
    '[{"n":{"first":"A","last":{"x":1}},"l":[1,"b",{"c":[]}]}]',
    one(['n.first', 'n.last.x', 'l'], [['A', '1', '[1,"b",{"c":[]}]']]),
  ),
  json(
    'exact.json',
    '[{"n":12345678901234567890,"d":1.10,"e":1e5,"z":-0}]',
    one(['n', 'd', 'e', 'z'], [['12345678901234567890', '1.10', '1e5', '-0']]),
  ),
  json(
    'texts.json',
    '[{"a":"\\u00e9\\n\\"\\\\","b":"\\ud83d\\ude00","c":""}]',
    one(['a', 'b', 'c'], [['é\n"\\', '\u{1F600}', null]]),
  ),
  json('sheets.json', '{"people":[{"n":"x"},{"n":"y"}],"things":[{"q":1}]}', [
    { name: 'people', columns: ['n'], rows: [['x'], ['y']] },
    { name: 'things', columns: ['q'], rows: [['1']] },
  ]),
  json('page.json', '{"total":1,"tags":["x"],"data":[{"n":"x"}],"next":{"page":2}}', [
    { name: 'data', columns: ['n'], rows: [['x']] },
  ]),
  json('record.json', '{"n":1,"tags":["a","b"],"o":{"p":null}}', one(['n', 'tags', 'o.p'], [['1', '["a","b"]', null]])),
  json(
    'rows.json',
    '[["x",1],["y",2,3]]',
    one(
      ['column 1', 'column 2', 'column 3'],
      [
        ['x', '1', null],
        ['y', '2', '3'],
      ],
    ),
  ),
  json('values.json', '["x",1,null,true]', one(['value'], [['x'], ['1'], ['true']])),
  json(
    'lines in.json',
    '{"a":1,"b":2}\n{"a":3,"b":4}\n',
    one(
      ['a', 'b'],
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ),
  ),
  json(
    'lines.jsonl',
    '{"a":1}\n\n{"a":{"b":2}}',
    one(
      ['a', 'a.b'],
      [
        ['1', null],
        [null, '2'],
      ],
    ),
  ),
  json('lines.ndjson', '{"a":1}\r\n{"a":2}\r\n', one(['a'], [['1'], ['2']])),
  file('JSON', 'wide.json', iconv.encode('\ufeff[{"a":"é"}]', 'utf-16le'), one(['a'], [['é']])),

  xml(
    'list.xml',
    '<r><i><a>1</a><b>2</b></i><i><a>3</a></i></r>',
    one(
      ['a', 'b'],
      [
        ['1', '2'],
        ['3', null],
      ],
    ),
  ),
  xml(
    'attributes.xml',
    '<r><i a="1" b="2"/><i a="3">text</i></r>',
    one(
      ['@a', '@b', 'value'],
      [
        ['1', '2', null],
        ['3', null, 'text'],
      ],
    ),
  ),
  xml(
    'nested.xml',
    '<r><i><n><f>A</f></n><t>x</t><t>y</t><p c="EUR">5</p></i><i/></r>',
    one(['n.f', 't', 'p.@c', 'p'], [['A', '["x","y"]', 'EUR', '5']]),
  ),
  xml(
    'wrapped.xml',
    '<r><head><v>1</v></head><list><i><a>1</a></i><i><a>2</a></i></list></r>',
    one(['a'], [['1'], ['2']]),
  ),
  xml('kinds.xml', '<r><x><a>1</a></x><y><b>2</b></y><x><a>3</a></x><y><b>4</b></y></r>', [
    { name: 'x', columns: ['a'], rows: [['1'], ['3']] },
    { name: 'y', columns: ['b'], rows: [['2'], ['4']] },
  ]),
  xml('single.xml', '<people><person><name>A</name></person></people>', one(['name'], [['A']])),
  xml('flat.xml', '<person><name>A</name><age>3</age></person>', one(['name', 'age'], [['A', '3']])),
  xml(
    'namespaces.xml',
    '<n:r xmlns:n="u"><n:i><n:a>1</n:a></n:i><n:i><n:a>2</n:a></n:i></n:r>',
    one(['a'], [['1'], ['2']]),
  ),
  xml(
    'cdata.xml',
    '<r><i><a><![CDATA[<b> & c]]></a></i><i><a>&lt;&#233;</a></i></r>',
    one(['a'], [['<b> & c'], ['<é']]),
  ),
  xml(
    'latin.xml',
    Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><r><i><a>é</a></i><i><a>ü</a></i></r>', 'latin1'),
    one(['a'], [['é'], ['ü']]),
  ),
  xml(
    'wide.xml',
    iconv.encode('\ufeff<?xml version="1.0" encoding="UTF-16"?><r><i><a>é</a></i><i><a>1</a></i></r>', 'utf-16le'),
    one(['a'], [['é'], ['1']]),
  ),

  archive('one.zip', zipOf({ 'people.csv': 'a,b\n1,2\n' }), [{ ...AB[0]!, name: 'people' }]),
  archive(
    'several.zip',
    zipOf({
      'a.csv': 'a,b\n1,2\n',
      'b/c.json': '[{"a":1,"b":2}]',
      'd.jsonl': '{"a":1,"b":2}',
      'e.xml': '<r><i><a>1</a><b>2</b></i><i/></r>',
      'f.tsv': 'a\tb\n1\t2\n',
    }),
    ['a', 'c', 'd', 'e', 'f'].map((name) => ({ ...AB[0]!, name })),
  ),
  archive(
    'clutter.zip',
    zipOf({ '__MACOSX/._a.csv': 'x', '.DS_Store': 'x', 'x/a.csv': 'a,b\n1,2\n', 'readme.md': '# x' }),
    [{ ...AB[0]!, name: 'a' }],
  ),
  archive(
    'alike.zip',
    zipOf({ 'x/a.csv': 'a,b\n1,2\n', 'y/a.csv': 'a,b\n1,2\n' }),
    ['x/a.csv', 'y/a.csv'].map((name) => ({ ...AB[0]!, name })),
  ),
  archive(
    'tables.zip',
    zipOf({ 'all.json': '{"p":[{"a":1,"b":2}],"q":[{"a":1,"b":2}]}' }),
    ['all p', 'all q'].map((name) => ({ ...AB[0]!, name })),
  ),
  archive('wider below.zip', zipOf({ 'a.csv': `a,b\n${'1,2\n'.repeat(300)}1,2,3\n`, 'b.csv': 'a,b\n1,2\n' }, 0), [
    {
      name: 'a',
      columns: ['a', 'b', 'column 3'],
      rows: [...Array.from({ length: 300 }, () => ['1', '2', null]), ['1', '2', '3']],
    },
    { ...AB[0]!, name: 'b' },
  ]),
  archive('book.zip', zipOf({ 'people.xlsx': book }), [{ ...AB[0]!, name: 'people S' }]),
  archive('books.zip', zipOf({ 'x/one.xlsx': widerBook, 'two.xlsm': book, 'three.csv': 'a,b\n1,2\n1,2,3\n' }), [
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
  ]),
  archive('book.xlsx.gz', gzipSync(book), [{ ...AB[0]!, name: 'S' }]),
  archive('table.csv.gz', gzipSync('a,b\n1,2\n'), AB),
  archive('table.json.gz', gzipSync('[{"a":1,"b":2}]'), AB),
  archive('table.xml.gz', gzipSync('<r><i><a>1</a><b>2</b></i><i/></r>'), AB),
  archive(
    'latin.csv.gz',
    gzipSync(Buffer.from('Straße;Ort\nMüllerstraße 1;Köln am Rhein\n', 'latin1')),
    one(['Straße', 'Ort'], [['Müllerstraße 1', 'Köln am Rhein']]),
  ),

  fixed(
    'plain.txt',
    'name  city   age\nAda   London 36\nBob   Rome   7 \n',
    [6, 7, 3],
    one(
      ['name', 'city', 'age'],
      [
        ['Ada', 'London', '36'],
        ['Bob', 'Rome', '7'],
      ],
    ),
  ),
  fixed(
    'short lines.txt',
    'ab cd\nx\n\ny  z\n',
    [3, 2],
    one(
      ['ab', 'cd'],
      [
        ['x', null],
        ['y', 'z'],
      ],
    ),
  ),
  fixed(
    'umlauts.txt',
    Buffer.from('größe  straße   \nüber   Köln     \n', 'latin1'),
    [7, 9],
    one(['größe', 'straße'], [['über', 'Köln']]),
  ),
  fixed(
    'breaks.txt',
    'n  v\r\nx  1\r\ny  2',
    [3, 1],
    one(
      ['n', 'v'],
      [
        ['x', '1'],
        ['y', '2'],
      ],
    ),
  ),
  file(
    'headers told',
    'first.csv',
    'x,1\ny,2\n',
    one(
      ['column 1', 'column 2'],
      [
        ['x', '1'],
        ['y', '2'],
      ],
    ),
    { headerRow: 0 },
  ),
  file('headers told', 'third.csv', 'x,1\ny,2\nz,3\nu,4\n', one(['z', '3'], [['u', '4']]), { headerRow: 3 }),
  file('headers told', 'delimiter.csv', 'a:b,c\nx:1,2\n', one(['a', 'b,c'], [['x', '1,2']]), { delimiter: ':' }),
]
