import iconv from 'iconv-lite'
import type { CorpusFile } from './corpus-file.ts'

const LANGUAGES: { encodings: string[]; columns: string[]; rows: string[][] }[] = [
  {
    encodings: ['utf-8', 'utf-8 with mark', 'utf-16le with mark', 'utf-16be with mark', 'windows-1252'],
    columns: ['Name', 'Größe', 'Bemerkung'],
    rows: [
      ['Jürgen Müller', '12', 'wohnt über der Straße in Köln'],
      ['Zoë Française', '7', 'déjà vu à la crème brûlée, "bien sûr"'],
      ['Ångström', '9', 'señor año mañana; él está aquí'],
    ],
  },
  {
    encodings: ['windows-1251', 'koi8-r', 'utf-8'],
    columns: ['Имя', 'Город', 'Примечание'],
    rows: [
      ['Иван Петров', 'Москва', 'живёт на большой улице рядом с рекой'],
      ['Анна Иванова', 'Санкт-Петербург', 'любит читать книги, "Война и мир"'],
      ['Сергей Кузнецов', 'Новосибирск', 'работает инженером; каждый день'],
    ],
  },
  {
    encodings: ['shift_jis', 'euc-jp', 'utf-8'],
    columns: ['名前', '住所', '備考'],
    rows: [
      ['山田太郎', '東京都千代田区', 'これは日本語の文章です、とても長い文章です'],
      ['鈴木花子', '大阪府大阪市', 'カタカナとひらがなと漢字が"混ざって"います'],
      ['佐藤次郎', '北海道札幌市', '毎日電車で会社に行きます; そして働きます'],
    ],
  },
  {
    encodings: ['gb18030', 'utf-8'],
    columns: ['姓名', '城市', '备注'],
    rows: [
      ['王小明', '北京市', '这是一个中文的句子，用来测试编码的检测'],
      ['李小红', '上海市', '她每天都去图书馆看书，"红楼梦"是她最喜欢的'],
      ['张伟', '广州市', '他在一家公司工作; 每天都很忙'],
    ],
  },
]

const DELIMITERS: [string, string][] = [
  [',', 'csv'],
  [';', 'csv'],
  ['\t', 'tsv'],
  ['|', 'psv'],
  ['^', 'txt'],
]
const NEWLINES: [string, string][] = [
  ['\n', 'LF'],
  ['\r\n', 'CRLF'],
  ['\r', 'CR'],
]
const QUOTINGS = ['needed', 'all'] as const

const MARKS: Record<string, Buffer> = {
  'utf-8': Buffer.from([0xef, 0xbb, 0xbf]),
  'utf-16le': Buffer.from([0xff, 0xfe]),
  'utf-16be': Buffer.from([0xfe, 0xff]),
}

function encodeText(text: string, encoding: string): Buffer {
  const [name = '', withMark] = encoding.split(' ')
  const bytes = iconv.encode(text, name)
  return withMark ? Buffer.concat([MARKS[name]!, bytes]) : bytes
}

function formatRows(rows: string[][], delimiter: string, newline: string, quoting: (typeof QUOTINGS)[number]): string {
  const quoteCell = (text: string) =>
    quoting === 'all' || text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  return rows.map((row) => row.map(quoteCell).join(delimiter) + newline).join('')
}

function createCombinations(): CorpusFile[] {
  let turn = 0
  return LANGUAGES.flatMap(({ encodings, columns, rows }) =>
    encodings.flatMap((encoding) =>
      DELIMITERS.flatMap(([delimiter, ext]) =>
        QUOTINGS.map((quoting): CorpusFile => {
          const [newline, ending] = NEWLINES[turn++ % NEWLINES.length]!
          return {
            category: 'encodings x delimiters x quoting x newlines',
            name: `${encoding}, ${JSON.stringify(delimiter)}, quotes ${quoting}, ${ending}.${ext}`,
            bytes: encodeText(formatRows([columns, ...rows], delimiter, newline, quoting), encoding),
            format: { delimiter, encoding: encoding.split(' ')[0]!, headerRow: 1 },
            tables: [{ columns, rows }],
          }
        }),
      ),
    ),
  )
}

const createHeaderCase = (
  name: string,
  text: string,
  columns: string[],
  rows: (string | null)[][],
  headerRow = 1,
  delimiter = ',',
): CorpusFile => ({
  category: 'headers',
  name: `${name}.csv`,
  bytes: Buffer.from(text),
  format: { delimiter, encoding: 'utf-8', headerRow },
  tables: [{ columns, rows }],
})

const HEADERS: CorpusFile[] = [
  createHeaderCase('plain', 'a,b\nx,1\n', ['a', 'b'], [['x', '1']]),
  createHeaderCase(
    'title above',
    'Members of 2026,,\nname,city,age\nAda,London,36\n',
    ['name', 'city', 'age'],
    [['Ada', 'London', '36']],
    2,
  ),
  createHeaderCase(
    'titles and a blank row',
    'Report,,\nby Ada,,\n,,\nname,city,age\nAda,London,36\n',
    ['name', 'city', 'age'],
    [['Ada', 'London', '36']],
    4,
  ),
  createHeaderCase('blank lines above', '\n\nname,city\nAda,London\n', ['name', 'city'], [['Ada', 'London']], 3),
  createHeaderCase(
    'none',
    '1,2020-01-01,x@y.de\n2,2020-01-02,z@y.de\n3,2020-01-03,u@y.de\n',
    ['column 1', 'column 2', 'column 3'],
    [
      ['1', '2020-01-01', 'x@y.de'],
      ['2', '2020-01-02', 'z@y.de'],
      ['3', '2020-01-03', 'u@y.de'],
    ],
    0,
  ),
  createHeaderCase('alike', 'name,name,name\nx,y,z\n', ['name', 'name 2', 'name 3'], [['x', 'y', 'z']]),
  createHeaderCase('blank', 'name,,age,\nx,y,z,u\n', ['name', 'column 2', 'age', 'column 4'], [['x', 'y', 'z', 'u']]),
  createHeaderCase(
    'years',
    'region,2019,2020\nnorth,1,2\nsouth,3,4\n',
    ['region', '2019', '2020'],
    [
      ['north', '1', '2'],
      ['south', '3', '4'],
    ],
  ),
  createHeaderCase('line breaks', '"first\nname","last\nname"\nx,y\n', ['first name', 'last name'], [['x', 'y']]),
  createHeaderCase('names its delimiter', 'sep=;\na;b\nx;1,5\n', ['a', 'b'], [['x', '1,5']], 2, ';'),
  createHeaderCase('hostile', '__proto__,constructor\nx,y\n', ['__proto__ 2', 'constructor'], [['x', 'y']]),
  createHeaderCase(
    'ragged rows',
    'a,b\nx\ny,1,more\n',
    ['a', 'b', 'column 3'],
    [
      ['x', null, null],
      ['y', '1', 'more'],
    ],
  ),
]

const QUOTED: CorpusFile[] = [
  createHeaderCase(
    'stray quote before a cell',
    'id,town,note\n1,"Bonn,"by the Rhine, west"\n2,Ulm,"by the Danube, south"\n',
    ['id', 'town', 'note'],
    [
      ['1', '"Bonn', 'by the Rhine, west'],
      ['2', 'Ulm', 'by the Danube, south'],
    ],
  ),
  createHeaderCase(
    'stray quote in the header',
    '"id,town,"note"\n1,Bonn,"by the Rhine, west"\n',
    ['"id', 'town', 'note'],
    [['1', 'Bonn', 'by the Rhine, west']],
  ),
  createHeaderCase(
    'stray quote at the end of a row',
    'id,note,more\n1,"a, b","\n2,"c, d",\n"3","e, f",\n',
    ['id', 'note', 'more'],
    [
      ['1', 'a, b', '"'],
      ['2', 'c, d', null],
      ['3', 'e, f', null],
    ],
  ),
  createHeaderCase(
    'space after each delimiter',
    'id, town, "note, long"\n1, Bonn, "west, on the Rhine"\n2, Ulm, ""\n3,  Kiel , "a, b"\n',
    ['id', 'town', 'note, long'],
    [
      ['1', 'Bonn', 'west, on the Rhine'],
      ['2', 'Ulm', null],
      ['3', 'Kiel ', 'a, b'],
    ],
  ),
  createHeaderCase(
    'rows shorter than the header',
    'name,age,note\nAda,unknown\nGrace,37\nMary,41\nJoan,52\nEva,23\nKim,64\nIda,31\n',
    ['name', 'age', 'note'],
    [
      ['Ada', 'unknown', null],
      ['Grace', '37', null],
      ['Mary', '41', null],
      ['Joan', '52', null],
      ['Eva', '23', null],
      ['Kim', '64', null],
      ['Ida', '31', null],
    ],
  ),
  createHeaderCase(
    'title with commas',
    'Measured by Ada, on Monday, in Bonn\nday,value\n1,20.5\n2,21.5\n3,22.5\n',
    ['day', 'value'],
    [
      ['1', '20.5'],
      ['2', '21.5'],
      ['3', '22.5'],
    ],
    2,
  ),
]

export const TEXTS: CorpusFile[] = [...createCombinations(), ...HEADERS, ...QUOTED]
