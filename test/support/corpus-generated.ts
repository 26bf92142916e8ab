/**
 * Reproducible delimited files for format detection: seven languages in their encodings, with varying delimiters, quoting, line
 * ends, decimal marks, and titles above the header or no header.
 */
import iconv from 'iconv-lite'
import type { TextFormat } from './corpus-file.ts'

export interface GeneratedFile {
  name: string
  bytes: Buffer
  format: TextFormat
}

function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}
let next = createRandom(7)
const randomBelow = (count: number): number => Math.floor(next() * count)
const pick = <T>(list: readonly T[]): T => list[randomBelow(list.length)]!

interface Language {
  encodings: readonly string[]
  /** Column names by kind, separated by `|`. */
  columns: readonly [texts: string, numbers: string, dates: string, addresses: string]
  words: string
  title: string
}

const LANGUAGES: readonly Language[] = [
  {
    encodings: ['utf-8'],
    columns: [
      'Name|City|Company|Remark|Department',
      'Amount|Quantity|Price|Year',
      'Born|Created|Due date',
      'Email|Website',
    ],
    words: 'London Ada Lovelace Acme Inc north south Springfield paid open the of and customer order delivered late',
    title: 'Customers of the northern region',
  },
  {
    encodings: ['utf-8', 'windows-1252'],
    columns: [
      'Name|Größe|Straße|Bemerkung|Abteilung',
      'Betrag|Menge|Preis|Jahr',
      'Geburtstag|Erstellt am',
      'E-Mail|Webseite',
    ],
    words: 'Jürgen Müller Köln Straße über schön Äpfel wohnt in der Nähe und für größere Übersicht weiß München',
    title: 'Übersicht der Kunden für das Geschäftsjahr',
  },
  {
    encodings: ['utf-8', 'windows-1252'],
    columns: [
      'Prénom|Ville|Société|Libellé|Département',
      'Montant|Quantité|Prix|Année',
      'Né le|Créé le',
      'Courriel|Site',
    ],
    words: 'Zoë François Orléans déjà vu à la crème brûlée bien sûr élève forêt Besançon été où hôtel',
    title: 'Liste des élèves inscrits à l’école',
  },
  {
    encodings: ['utf-8', 'windows-1251', 'koi8-r'],
    columns: [
      'Имя|Город|Компания|Примечание|Отдел',
      'Сумма|Количество|Цена|Год',
      'Дата рождения|Создано',
      'Почта|Сайт',
    ],
    words: 'Иван Петров Москва живёт на большой улице рядом с рекой работает инженером каждый день хорошо',
    title: 'Список клиентов за прошлый год',
  },
  {
    encodings: ['utf-8', 'shift_jis', 'euc-jp'],
    columns: ['名前|都市|会社名|備考|部署', '金額|数量|価格|年度', '生年月日|作成日', 'メール|ウェブサイト'],
    words:
      '山田太郎 東京都 これは日本語の文章です 鈴木花子 カタカナとひらがな 毎日電車で会社に行きます 大阪府 ありがとうございます',
    title: '顧客の一覧表です',
  },
  {
    encodings: ['utf-8', 'gb18030'],
    columns: ['姓名|城市|公司|备注|部门', '金额|数量|价格|年份', '出生日期|创建时间', '邮箱|网站'],
    words: '王小明 北京市 这是一个中文的句子 她每天都去图书馆看书 上海市 他在一家公司工作 谢谢大家 每天都很忙',
    title: '客户名单和联系方式',
  },
  {
    encodings: ['utf-8', 'windows-1253'],
    columns: [
      'Όνομα|Πόλη|Εταιρεία|Σχόλιο|Τμήμα',
      'Ποσό|Ποσότητα|Τιμή|Έτος',
      'Γέννηση|Δημιουργία',
      'Διεύθυνση|Ιστοσελίδα',
    ],
    words: 'Γιώργος Αθήνα και περίχωρα Μαρία Θεσσαλονίκη στην Ελλάδα καλημέρα σας ευχαριστώ πολύ κάθε μέρα',
    title: 'Κατάλογος πελατών της εταιρείας',
  },
]

type Kind = 'text' | 'number' | 'date' | 'address'
const KINDS: readonly Kind[] = ['text', 'number', 'date', 'address']
const pad = (value: number): string => String(value).padStart(2, '0')

function generateCell(kind: Kind, language: Language, decimal: string): string {
  if (next() < 0.05) return ''
  const date = [1970 + randomBelow(55), 1 + randomBelow(12), 1 + randomBelow(28)] as const
  if (kind === 'number')
    return next() < 0.5 ? String(randomBelow(10_000)) : `${randomBelow(1000)}${decimal}${pad(randomBelow(100))}`
  if (kind === 'address')
    return next() < 0.7 ? `p${randomBelow(1e6)}@example.com` : `https://example.com/${randomBelow(1e6)}`
  if (kind === 'date')
    return pick([
      `${date[0]}-${pad(date[1])}-${pad(date[2])}`,
      `${pad(date[2])}.${pad(date[1])}.${date[0]}`,
      `${pad(date[1])}/${pad(date[2])}/${date[0]}`,
      `${date[0]}-${pad(date[1])}-${pad(date[2])}T${pad(randomBelow(24))}:${pad(randomBelow(60))}:00`,
    ])
  const words = language.words.split(' ')
  const phrase = Array.from({ length: 1 + randomBelow(5) }, () => pick(words)).join(' ')
  return next() < 0.2 ? phrase.replace(' ', pick([', ', '; ', ' | ', ': ', ' "', "'"])) : phrase
}

function generateFile(number: number): GeneratedFile {
  const language = pick(LANGUAGES)
  const encoding = pick(language.encodings)
  const delimiter = pick([',', ',', ';', ';', '\t', '|'])
  const newline = pick(['\n', '\r\n', '\r\n', '\r'])
  const decimal = delimiter === ',' ? '.' : pick(['.', ','])
  const quoting = pick(['needed', 'needed', 'all'])
  const kinds: Kind[] = ['text', ...Array.from({ length: 1 + randomBelow(9) }, () => pick(KINDS))]
  const hasHeader = next() < 0.9
  if (!hasHeader) kinds.push('date', 'number', 'address')
  const names = kinds.map((kind) => pick(language.columns[KINDS.indexOf(kind)]!.split('|')))
  const rows = Array.from({ length: 3 + randomBelow(60) }, () =>
    kinds.map((kind) => generateCell(kind, language, decimal)),
  )
  const titleRows = hasHeader && kinds.length > 2 && next() < 0.3 ? generateTitleRows(language, kinds.length) : []
  const quote = (cell: string) =>
    quoting === 'all' || cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  const formatLine = (cells: readonly string[]) => cells.map(quote).join(delimiter) + newline
  const text = [...titleRows, ...(hasHeader ? [names] : []), ...rows].map(formatLine).join('')
  const byteOrderMark = encoding === 'utf-8' && next() < 0.3 ? '\ufeff' : ''
  return {
    name: `${number}: ${encoding}, ${JSON.stringify(delimiter)}, ${titleRows.length} above, ${hasHeader ? '' : 'no '}header.csv`,
    bytes: iconv.encode(byteOrderMark + text, encoding),
    format: { delimiter, encoding, headerRow: hasHeader ? titleRows.length + 1 : 0 },
  }
}

function generateTitleRows({ title, words }: Language, width: number): string[][] {
  const padded = next() < 0.5
  const row = (text: string) => [text, ...(padded ? Array.from({ length: width - 1 }, () => '') : [])]
  const rows = [row(title)]
  if (next() < 0.4) rows.push(row(`${pick(words.split(' '))} 2026`))
  if (next() < 0.5) rows.push(row(''))
  return rows
}

export function generateFiles(count: number): GeneratedFile[] {
  next = createRandom(7)
  return Array.from({ length: count }, (_, number) => generateFile(number))
}
