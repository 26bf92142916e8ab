/** Detection of the format of delimited text from the start of the file. */
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../lib/core/errors.ts'
import { buildColumnNames } from '../../../lib/files/extract/columns.ts'
import { detectEncoding } from '../../../lib/files/sniff/encoding.ts'
import { type SniffOptions, sniff } from '../../../lib/files/sniff.ts'

const rows = [
  ['Name', 'City', 'Born', 'Note'],
  ['Müller', 'Köln', '1970-01-01', 'a, b'],
  ['Özil', 'Gelsenkirchen', '1988-10-15', 'c; d'],
  ['Ada', 'London', '1815-12-10', 'says "hi"'],
]
const quoteCell = (cell: string) => (/[",;\t|\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
const createText = (delimiter: string, newline = '\n', table = rows) =>
  table.map((row) => row.map(quoteCell).join(delimiter)).join(newline)
const sniffText = (text: string, options?: SniffOptions) => sniff(Buffer.from(text), options)
const sniffDelimiter = (text: string, options?: SniffOptions) => sniffText(text, options).dialect.delimiter

describe('delimiter', () => {
  it.each([',', ';', '\t', '|', '^', '~', '\u001f', '\u0001'])('%j is detected with any line ends', (delimiter) => {
    for (const newline of ['\n', '\r\n', '\r']) {
      const table = rows.map((row) => row.map((cell) => cell.replaceAll(/[,;]/g, '')))
      expect(sniffText(createText(delimiter, newline, table))).toMatchObject({
        dialect: { delimiter, newline: newline === '\r' ? '\r' : '\n', quote: '"' },
        headerRow: 1,
        header: rows[0],
      })
    }
  })
  it.each([',', ';', '\t', '|'])('%j is detected when others occur in quoted cells', (delimiter) => {
    expect(sniffDelimiter(createText(delimiter))).toBe(delimiter)
  })
  it.each([
    ['decimal commas', 'Preis;Menge;Summe\n1,50;2,0;3,00\n2,25;1,5;3,37\n', ';'],
    ['decimal commas and no header', '1,50;2,00\n2,25;1,50\n3,75;9,00\n', ';'],
    ['times of day', 'when,who\n10:00:00,Ada\n11:30:15,Bob\n', ','],
    ['prose in a cell', 'id\tnote\n1\tfirst, second, third\n2\tfourth, fifth\n3\tlast\n', '\t'],
    ['cities with their states in each row', 'name\tplace\nAda\tAustin, TX\nBob\tBoise, ID\n', '\t'],
    ['a title with commas', 'Sales, all regions, 2024\n\na;b;c\n1;2;3\n4;5;6\n', ';'],
    ['uneven rows', 'a|b|c|d\n1|2\n1|2|3|4\n1|2|3\n1|2|3|4\n', '|'],
    ['line breaks in quotes', 'a;b\n"x, y\nz, w, v";1\n"p,\nq, r, s, t";2\n', ';'],
  ])('is not mistaken for %s', (_, text, delimiter) => expect(sniffDelimiter(text)).toBe(delimiter))
  it('is irrelevant in a file with one column: its rows stay whole', () => {
    expect(sniffText('email\nada@x.y\neve@x.y\n').header).toEqual(['email'])
    expect(sniffText('time\n10:00\n11:00\n')).toMatchObject({ header: ['time'], width: 1 })
    expect(sniffText('name\nAda Lovelace\nAlan Turing').header).toEqual(['name'])
  })
  it('is derived from the extension when the text is ambiguous', () => {
    expect(sniffDelimiter('a\n1', { ext: 'tsv' })).toBe('\t')
    expect(sniffDelimiter('a;b\n1;2', { ext: 'tsv' })).toBe(';')
  })
  it('declared in the first line wins', () => {
    const layout = sniffText('sep=;\r\na,x;b,y\r\n1,2;3,4\r\n')
    expect(layout).toMatchObject({ dialect: { delimiter: ';' }, header: ['a,x', 'b,y'], headerRow: 2, rowsBefore: 2 })
    expect(layout.dataStart).toBe('sep=;\r\na,x;b,y\r\n'.length)
  })
})

describe('quote', () => {
  it('is a single quote when cells are enclosed in it', () => {
    expect(sniffText("'a','b, c'\n'd','e'\n").dialect.quote).toBe("'")
    expect(sniffText("'a','b, c'\n'd','e'\n").header).toEqual(['a', 'b, c'])
  })
  it('is not an apostrophe', () =>
    expect(sniffText("a,b\n'tis,rock 'n'\n\"x\",'y'\n'z','w'\n").dialect.quote).toBe('"'))
})

describe('encoding', () => {
  it.each([
    ['utf-8', Buffer.from(createText(','))],
    ['utf-8', Buffer.from(`\uFEFF${createText(',')}`)],
    ['utf-16le', iconv.encode(createText(','), 'utf-16le', { addBOM: true })],
    ['utf-16be', iconv.encode(createText(','), 'utf-16be', { addBOM: true })],
    ['utf-16le', iconv.encode(createText(','), 'utf-16le', { addBOM: false })],
    ['utf-16be', iconv.encode(createText(','), 'utf-16be', { addBOM: false })],
    ['utf-32le', iconv.encode(createText(','), 'utf-32le', { addBOM: true })],
    ['windows-1252', iconv.encode(createText(','), 'latin1')],
    ['windows-1252', iconv.encode('Preis;Name\n5 €;„Müller“\n', 'windows-1252')],
  ])('%s is detected, and the header is read in it', (name, bytes) => {
    const { encoding, header } = sniff(bytes)
    expect(encoding).toMatchObject({ name, isCertain: true })
    expect(header?.[0]).toMatch(/^(Name|Preis)$/)
  })
  it.each(['utf-16le', 'utf-16be'])('%s without mark is detected in scripts other than Latin', (name) => {
    const texts = ['имя;город\nИван;Москва\n', '名前,住所\n山田太郎,東京都千代田区\n', 'שם\tעיר\r\nמשה\tירושלים\r\n']
    for (const text of texts) {
      const { encoding, header } = sniff(iconv.encode(text, name, { addBOM: false }))
      expect([encoding.name, header]).toEqual([name, text.split(/[\r\n]/)[0]!.split(/[;,\t]/)])
    }
  })

  it.each(['a,b\n\0c,d\n', 'name,city\nAda,London\0\nBob,Rome\n'])('is UTF-8 despite a zero byte in %j', (text) => {
    expect(detectEncoding(Buffer.from(text + 'Eve,Berlin\n'.repeat(20))).name).toBe('utf-8')
  })

  it.each([
    [
      'shift_jis',
      '名前,住所,備考\n山田太郎,東京都千代田区,よろしくお願いします\n鈴木花子,大阪府大阪市,ありがとうございます\n',
    ],
    ['gb18030', '姓名,地址,备注\n张伟,北京市朝阳区,你好世界\n王芳,上海市浦东新区,谢谢大家\n'],
    ['windows-1251', 'имя;город\nИван;Москва\nОльга;Казань\n'],
    ['koi8-r', 'имя,город\nИван Иванович,Москва столица России\nОльга Петровна,Санкт-Петербург на Неве\n'],
    ['windows-1253', 'όνομα,πόλη\nΓιώργος,Αθήνα και περίχωρα\nΜαρία,Θεσσαλονίκη στην Ελλάδα\n'],
    ['windows-1255', 'שם,עיר\nמשה כהן,ירושלים הבירה\n'],
    ['euc-kr', '이름,주소\n김철수,서울특별시 강남구\n'],
    ['windows-1250', 'Číslo;Jméno\n1;Jiří Šťastný\n2;Truhlářství Novák\n3;MUDr. Šťastná\n'],
    ['windows-1252', 'año,niño,señal\n2020,José,sí\n2021,Muñoz,no\n'],
    ['windows-1252', 'prénom,ville\nRené,Orléans\nZoë,Besançon\nAndré,Nîmes\n'],
  ])('%s is detected by its letters', (name, text) => {
    expect(sniff(iconv.encode(text, name)).encoding.name).toBe(name)
  })
  it('declared wins over detection, and a byte order mark over both', () => {
    const bytes = iconv.encode(createText(','), 'latin1')
    expect(sniff(bytes, { declaredEncoding: 'ISO-8859-15' }).encoding.name).toBe('iso-8859-15')
    for (const declaredEncoding of ['7bit', 'binary', 'no such thing', ''])
      expect(sniff(bytes, { declaredEncoding }).encoding.name).toBe('windows-1252')
    expect(sniff(Buffer.from('\uFEFFa\n'), { declaredEncoding: 'latin1' }).encoding).toMatchObject({
      name: 'utf-8',
      markBytes: 3,
    })
  })
  it('is UTF-8 even when the sample ends within a character', () => {
    expect(sniff(Buffer.from(`a\n${'é'.repeat(100)}`).subarray(0, 201), { isComplete: false }).encoding.name).toBe(
      'utf-8',
    )
  })
  it('is uncertain when only ASCII was seen', () => {
    expect(sniffText('a,b\n1,2\n').encoding).toEqual({ name: 'utf-8', markBytes: 0, isCertain: false })
  })
  it('stays UTF-8 despite a single invalid byte, which the reader rejects', () => {
    const bytes = Buffer.concat([Buffer.from('né\n'.repeat(50)), Buffer.from([0xe9, 0x0a]), Buffer.from('né\n')])
    expect(sniff(bytes).encoding.name).toBe('utf-8')
  })
})

describe('header', () => {
  it('is detected below titles and blank lines', () => {
    const above = 'Members of the club\n\nas of 2026,,,\n'
    const layout = sniffText(`${above}${createText(',')}`)
    expect(layout).toMatchObject({ header: rows[0], headerRow: 4, rowsBefore: 4, width: 4 })
    expect(layout.dataStart).toBe(`${above}Name,City,Born,Note\n`.length)
  })
  it.each([
    ['a title over two columns', 'Members\n\nName,City\nAda,London\n', 3],
    ['a padded title over two columns', 'Members,\n,\nName,City\nAda,London\n', 3],
    ['blank lines', '\n  \n\nName,City\nAda,London\n', 4],
    ['names of years', 'Region,2019,2020,2021\nNorth,1,2,3\nSouth,4,5,6\n', 1],
    ['one name that is a year', 'Region,2024\nNorth,1\nSouth,4\n', 1],
    ['numbered columns', 'id,1,2,3\nx,7,8,9\ny,4,4,4\n', 1],
    ['blank names', 'a,,c\n1,2,3\n4,5,6\n', 1],
    ['two columns of which one has no name', 'name,\nAda,1\nBob,2\n', 1],
    ['nothing but text', 'first,second\nAda,x\nBob,y\n', 1],
    ['no rows', 'a,b,c\n', 1],
    ['facts above it', 'Client:,Ada,,Date: 2 May,\n\nName,City,Note,Paid,Fee\nBob,Ayr,,yes,2\n', 3],
    ['facts of more lines', 'To:,Ada,By:\nNo.: 4,,Date:\nName,City,Note,Fee\nBob,Ayr,x,2\nEve,Ayr,y,3\n', 3],
    ['names that end with a colon', 'Name:,City:,Fee:\nBob,Ayr,2\nEve,Ayr,3\n', 1],
    ['few names that end with a colon', 'Name:,City:,Fee\nBob,Ayr,a\nEve,Ayr,b\n', 1],
  ])('is detected with %s', (_, text, headerRow) => expect(sniffText(text).headerRow).toBe(headerRow))
  it.each([
    ['numbers', '1,2\n3,4\n'],
    ['text and numbers', 'Ada,36,1.5\nBob,40,2.5\nEve,22,3.5\n'],
    ['dates and addresses', 'ada@x.org,2024-01-01\nbob@x.org,2024-01-02\neve@x.org,2024-01-03\n'],
  ])('is missing above %s', (_, text) => {
    expect(sniffText(text)).toMatchObject({ header: undefined, headerRow: 0, dataStart: 0, rowsBefore: 0 })
  })
  it.each([
    [
      'groups over names',
      'Loans\nPerson,,Loan,,Return,,\nName,Phone,Date,Desk,Date,State,Fee\nAda,07 1,01/02/24,Jo,02/02/24,ok,1\nBob,07 2,01/03/24,Al,02/03/24,ok,2\n',
      3,
      ['Name', 'Phone', 'Loan Date', 'Desk', 'Return Date', 'State', 'Fee'],
      ['Person Name', 'Person Phone', 'Loan Date', 'Loan Desk', 'Return Date', 'State', 'Fee'],
    ],
    [
      'groups over more than a third of the columns',
      'Person,,Place,,Fees,\nName,Phone,Street,Area,Rent,Deposit\nAda,1,x,2,3,4\nBob,5,y,6,7,8\n',
      2,
      ['Name', 'Phone', 'Street', 'Area', 'Rent', 'Deposit'],
      ['Person Name', 'Person Phone', 'Place Street', 'Place Area', 'Fees Rent', 'Deposit'],
    ],
    [
      'names over two lines',
      'No;Card;Vil-;Date;Date;Sex\n;no.;lage;of birth;of visit;\n1;7;Ely;2020-01-02;2024-01-02;f\n2;8;Ayr;2020-01-03;2024-01-03;m\n',
      2,
      ['No', 'Card no.', 'Village', 'Date of birth', 'Date of visit', 'Sex'],
      ['No', 'Card no.', 'Village', 'Date of birth', 'Date of visit', 'Sex'],
    ],
    [
      'names over two lines, one with digits',
      'No.;1st;;Class;Joined\n;name;Phone;24/25;school\n7;Ada;071;6ª A;2019-09-10\n8;Bob;072;6ª B;2020-09-10\n',
      2,
      ['No.', '1st name', 'Phone', 'Class 24/25', 'Joined school'],
      ['No.', '1st name', 'Phone', 'Class 24/25', 'Joined school'],
    ],
  ])('may have %s', (_, text, headerRow, header, labels) => {
    const layout = sniffText(text)
    expect(layout).toMatchObject({ headerRow, header, labels, rowsBefore: headerRow })
    expect(text.slice(layout.dataStart)).toBe(text.split('\n').slice(headerRow).join('\n'))
  })
  it.each([
    [
      'a first record without some values',
      'Name,City,Age,Fee\nAda,Ely,n/a,unknown\nBob,Ayr,40,2\nEve,Ely,22,3\nAl,Ayr,9,unknown\n',
    ],
    ['a first record with one number', 'Name,City,Age,Fee\nAda,Ely,young,2\nBob,Ayr,40,2\nEve,Ely,22,3\n'],
    ['a first record of words', 'Name,City,Color\nAda,Ely,red\nBob,Ayr,blue\nEve,Ely,red\n'],
    ['two facts above it', 'Period:,May,,\nName,City,Age,Fee\nBob,Ayr,40,2\nEve,Ely,22,3\n'],
  ])('is one line with %s', (_, text) => {
    expect(sniffText(text)).toMatchObject({
      header: ['Name', 'City', expect.any(String), ...(text.includes('Fee') ? ['Fee'] : [])],
      labels: undefined,
    })
  })
  it('has as many lines as specified', () => {
    const text = 'a,b\nc,d\ne,f\n1,2\n'
    expect(sniffText(text, { headerRow: 3, headerLines: 2 })).toMatchObject({ header: ['c e', 'd f'], headerRow: 3 })
    expect(sniffText(text, { headerRow: 3, headerLines: 3 }).header).toEqual(['a c e', 'b d f'])
    expect(sniffText(text, { headerLines: 2 })).toMatchObject({ header: ['a c', 'b d'], headerRow: 2 })
    expect(() => sniffText(text, { headerRow: 1, headerLines: 2 })).toThrow('cannot have 2 lines')
  })
  it('covers the widest row seen, without empty columns', () => {
    expect(sniffText('a,b\n1,2\n3,4,5\n6,7\n').width).toBe(3)
    expect(sniffText('a,b,,\n1,2,,\n3,4,,\n').width).toBe(2)
  })
  it('is complete even when the sample ends within the next row', () => {
    expect(sniffText('a,b\n1,"x', { isComplete: false })).toMatchObject({ header: ['a', 'b'], headerRow: 1 })
  })
})

describe('column names', () => {
  it('are unique, whatever the file contains', () => {
    expect(buildColumnNames(['a', '', 'a', '__proto__', ' b\n c ', 'constructor', '\u0000', '\ud800'], 9)).toEqual([
      'a',
      'column 2',
      'a 2',
      '__proto__ 2',
      'b c',
      'constructor',
      'column 7',
      '\uFFFD',
      'column 9',
    ])
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.nat(50), (row, more) => {
        const names = buildColumnNames(row, row.length + more)
        expect(names).toHaveLength(row.length + more)
        expect(new Set(names).size).toBe(names.length)
        expect(names.every((name) => name !== '' && name !== '__proto__' && name.length <= 512)).toBe(true)
      }),
    )
  })
  it('fit into one table item, however many and long they are', () => {
    const longNames = (length: number, letter: string) =>
      Array.from({ length }, (_, column) => `${letter.repeat(2000)}${column}`)
    expect(buildColumnNames(longNames(2, 'x'), 2).map((name) => name.length)).toEqual([500, 502])
    for (const letter of ['x', '漢', '"', '😀'])
      expect(Buffer.byteLength(JSON.stringify(buildColumnNames(longNames(500, letter), 500)))).toBeLessThan(110 * 1024)
  })
})

it('terminates on hostile texts', () => {
  for (const part of ['"', '"a', "'a',", ',', '"\n', ' ', '1 ', '"" ', '\r', ';,|\t'])
    expect(() => sniffText(part.repeat(60_000), { isComplete: false })).not.toThrow(RangeError)
})

it('rejects binary and empty files', () => {
  const expectSniff = (bytes: Buffer) => expect(() => sniff(bytes))
  expectSniff(Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 8, 1])).toThrow('The file is a ZIP archive or an Excel workbook')
  expectSniff(Buffer.from('%PDF-1.7\n')).toThrow('The file is a PDF document')
  const noise = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 197 + (at >> 3) * 31) % 256))
  expectSniff(Buffer.concat([Buffer.from('abc'), noise])).toThrow(/binary content at byte \d+/)
  expectSniff(Buffer.alloc(1000)).toThrow('binary content at byte 0')
  expectSniff(Buffer.alloc(0)).toThrow('The file is empty.')
  expectSniff(Buffer.from('\uFEFF \n\n ')).toThrow('The file is empty')
  expectSniff(Buffer.alloc(0)).toThrow(ApiError)
})
