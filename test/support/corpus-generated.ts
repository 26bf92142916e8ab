/**
 * Delimited files of every writing, generated: languages in their encodings, delimiters, quoting, line ends, decimal commas,
 * titles and blank rows above the header, none at all. The same in every run. For what is found out of them, not for cells.
 */
import iconv from 'iconv-lite'
import type { TextFormat } from './corpus-file.ts'

export interface GeneratedFile {
  name: string
  bytes: Buffer
  written: TextFormat
}

/** A small linear congruential generator. */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}
let next = random(7)
const below = (count: number): number => Math.floor(next() * count)
const of = <T>(list: readonly T[]): T => list[below(list.length)]!

interface Language {
  encodings: readonly string[]
  /** Names of columns of texts, numbers, dates and addresses. */
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

function cellOf(kind: Kind, language: Language, decimal: string): string {
  if (next() < 0.05) return ''
  const date = [1970 + below(55), 1 + below(12), 1 + below(28)] as const
  if (kind === 'number') return next() < 0.5 ? String(below(10_000)) : `${below(1000)}${decimal}${pad(below(100))}`
  if (kind === 'address') return next() < 0.7 ? `p${below(1e6)}@example.com` : `https://example.com/${below(1e6)}`
  if (kind === 'date')
    return of([
      `${date[0]}-${pad(date[1])}-${pad(date[2])}`,
      `${pad(date[2])}.${pad(date[1])}.${date[0]}`,
      `${pad(date[1])}/${pad(date[2])}/${date[0]}`,
      `${date[0]}-${pad(date[1])}-${pad(date[2])}T${pad(below(24))}:${pad(below(60))}:00`,
    ])
  const words = language.words.split(' ')
  const phrase = Array.from({ length: 1 + below(5) }, () => of(words)).join(' ')
  return next() < 0.2 ? phrase.replace(' ', of([', ', '; ', ' | ', ': ', ' "', "'"])) : phrase
}

function generated(number: number): GeneratedFile {
  const language = of(LANGUAGES)
  const encoding = of(language.encodings)
  const delimiter = of([',', ',', ';', ';', '\t', '|'])
  const newline = of(['\n', '\r\n', '\r\n', '\r'])
  const decimal = delimiter === ',' ? '.' : of(['.', ','])
  const quoting = of(['needed', 'needed', 'all'])
  const kinds: Kind[] = ['text', ...Array.from({ length: 1 + below(9) }, () => of(KINDS))]
  // A table that nothing but its values tells from its header has values to tell.
  const hasHeader = next() < 0.9
  if (!hasHeader) kinds.push('date', 'number', 'address')
  const names = kinds.map((kind) => of(language.columns[KINDS.indexOf(kind)]!.split('|')))
  const rows = Array.from({ length: 3 + below(60) }, () => kinds.map((kind) => cellOf(kind, language, decimal)))
  const above = hasHeader && kinds.length > 2 && next() < 0.3 ? aboveOf(language, kinds.length) : []
  const quoted = (cell: string) =>
    quoting === 'all' || cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  const line = (cells: readonly string[]) => cells.map(quoted).join(delimiter) + newline
  const text = [...above, ...(hasHeader ? [names] : []), ...rows].map(line).join('')
  const mark = encoding === 'utf-8' && next() < 0.3 ? '\ufeff' : ''
  return {
    name: `${number}: ${encoding}, ${JSON.stringify(delimiter)}, ${above.length} above, ${hasHeader ? '' : 'no '}header.csv`,
    bytes: iconv.encode(mark + text, encoding),
    written: { delimiter, encoding, headerRow: hasHeader ? above.length + 1 : 0 },
  }
}

/** A title, alone or with blank cells after it, something under it, a blank row. */
function aboveOf({ title, words }: Language, width: number): string[][] {
  const padded = next() < 0.5
  const row = (text: string) => [text, ...(padded ? Array.from({ length: width - 1 }, () => '') : [])]
  const rows = [row(title)]
  if (next() < 0.4) rows.push(row(`${of(words.split(' '))} 2026`))
  if (next() < 0.5) rows.push(row(''))
  return rows
}

/** The first so many of them. */
export function generatedFiles(count: number): GeneratedFile[] {
  next = random(7)
  return Array.from({ length: count }, (_, number) => generated(number))
}
