/** Finds words and sentence forms of a private dialect in comments, documents, messages and test titles. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import ts from 'typescript'

export interface Finding {
  file: string
  line: number
  instead: string
  text: string
}

export interface LanguageException {
  file: string
  text: string
  reason: string
}

/** Only lower this number: new text must follow the rules. */
export const MAX_EXCEPTIONS = 1
/** Lines of comments for each line of code, in November 2026. Only lower it. */
export const MAX_COMMENT_SHARE = 0.0198

interface Rule {
  pattern: RegExp
  instead: string
}

/** Words with one standard replacement. A word that is right in some sentences is not in this list. */
const WORDS: Rule[] = [
  {
    pattern: /\bun?told\b|\btells? of\b|\btelling\b/i,
    instead: 'emit, publish, notify, report; "by default" for "unless told"',
  },
  { pattern: /\bunless told\b/i, instead: 'by default' },
  { pattern: /\b(un)?judg(e|es|ed|ing|ement|ements)\b/i, instead: 'validate' },
  { pattern: /\banew\b|\bafresh\b/i, instead: 'again' },
  { pattern: /\bbegun\b/i, instead: 'started' },
  { pattern: /\bstands?\b(?! for\b)|\bstood\b/i, instead: 'is, appears, is stored' },
  { pattern: /\bwhoever\b|\bwhatever is\b/i, instead: 'the caller, the writer, any process' },
  { pattern: /\bnobody\b|\bsomebody\b/i, instead: 'no caller, another writer, someone' },
  { pattern: /\bthings?\b/i, instead: 'resource, item, object' },
  { pattern: /\banswer(s|ed|ing)?\b/i, instead: 'response, reply, result, return' },
  { pattern: /\bkept\b(?! \w+ing\b)/i, instead: 'stored, cached, retained, saved' },
  { pattern: /\bbeside\b/i, instead: 'next to, besides, in addition to' },
  { pattern: /\bat hand\b/i, instead: 'available, already loaded' },
  { pattern: /\bby (itself|themselves)\b/i, instead: 'automatically, on its own' },
  {
    pattern:
      /\b(of|by|on) (its|their|one's|your|my) own(?=$|[^\w\s]|\s(and|or|that|which|who|over|for|in|on|with|by|to|of)\b)/i,
    instead: 'own, separate, dedicated',
  },
  { pattern: /(?<!\bthere )\b(is|are|was|were) none\b/i, instead: 'is not one, does not exist' },
  { pattern: /(?<!\bthere )\b(is|are) no (?!longer|more|less|fewer)/i, instead: 'is not a' },
  { pattern: /\b(gone|goes|go) back to\b/i, instead: 'reverted to, restored' },
  { pattern: /\bcomes? in(?=$|[.,;:]|\s(by|with|as|again|at)\b)/i, instead: 'signs in, gets access, arrives' },
  { pattern: /\bat once\b/i, instead: 'immediately, at the same time, in one call' },
  { pattern: /\balone\b/i, instead: 'only, by itself' },
  { pattern: /\bmends?\b|\bmended\b|\bmending\b/i, instead: 'fix' },
  { pattern: /\blets? (\w+ )?in\b/i, instead: 'admits, authenticates, gives access' },
  { pattern: /\btak(en|es|e|ing) away\b/i, instead: 'removed, revoked, deleted' },
  { pattern: /\bso (many|long|often)\b/i, instead: 'at most N, this long' },
  { pattern: /\bto its end\b/i, instead: 'finished, completed' },
  { pattern: /\blook(s|ed|ing)? (at|through)\b/i, instead: 'check, inspect, scan' },
  { pattern: /\balike\b/i, instead: 'the same way, identically' },
  { pattern: /\bto be had\b|\b(is|are|was) had\b|\bbe had\b/i, instead: 'available, obtained' },
  { pattern: /\blikeness\b/i, instead: 'similarity' },
  { pattern: /\bheeds?\b|\bheeded\b/i, instead: 'supports, uses' },
  { pattern: /\bhitherto\b|\bthereof\b|\bwherein\b|\bwhereof\b/i, instead: 'a plain sentence' },
]

/** A comment or title that starts with a relative clause has no subject. */
const NOUN_CLAUSE: Rule = { pattern: /^(what|where|of|who|whoever) /i, instead: 'a noun, or a sentence with a subject' }

const CODE = /\.(ts|tsx|js|cjs|mjs)$/
const HASH_COMMENTS = /\.(yml|py|sh|toml)$|^\.ci\/|^\.gitignore$/
const MARKDOWN = /\.md$/
const GENERATED = /^schemas\/generated\/.*\.ts$|\.generated\.ts$|^functions\/http\.yml$/
/** The rules themselves name the words they ban. */
const RULES = 'scripts/plain-language.ts'
/** String literals with several words in these folders are messages for people. */
const MESSAGES = /^(lib|functions|schemas|packages|web|localstack|examples|scripts)\/(?!local-cloud\/test\/)/
const COMMENTED = /^(functions|lib|schemas|web|localstack|packages|examples|scripts|bench|test)\//

const listFiles = (root: string): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file && file !== RULES && !GENERATED.test(file) && existsSync(`${root}/${file}`))

export interface RepositoryCheck {
  findings: Finding[]
  stale: LanguageException[]
  exceptions: LanguageException[]
  commentLines: number
  codeLines: number
}

export function checkRepository(root: string): RepositoryCheck {
  const exceptions = JSON.parse(readFileSync(`${root}/scripts/language-exceptions.json`, 'utf8')) as LanguageException[]
  let commentLines = 0
  let codeLines = 0
  const all = listFiles(root).flatMap((file) => {
    const text = readFileSync(`${root}/${file}`, 'utf8')
    const source = CODE.test(file) ? parse(file, text) : undefined
    if (source && COMMENTED.test(file)) {
      commentLines += countCommentLines(source)
      codeLines += source.getLineStarts().length
    }
    return checkText(file, text, source)
  })
  const matches = (finding: Finding, exception: LanguageException) =>
    finding.file === exception.file && finding.text === exception.text
  return {
    findings: all.filter((finding) => !exceptions.some((exception) => matches(finding, exception))),
    stale: exceptions.filter((exception) => !all.some((finding) => matches(finding, exception))),
    exceptions,
    commentLines,
    codeLines,
  }
}

export function checkText(file: string, text: string, source = parse(file, text)): Finding[] {
  return extractProse(file, text, source).flatMap(({ line, words, isComment, isTitle }) =>
    splitSentences(words).flatMap((sentence, index) => {
      const rules = index === 0 && (isComment || isTitle) ? [NOUN_CLAUSE, ...WORDS] : WORDS
      return rules
        .filter(({ pattern }) => pattern.test(sentence))
        .map(({ instead }): Finding => ({ file, line, instead, text: sentence }))
    }),
  )
}

export const parse = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(file, CODE.test(file) ? text : '', ts.ScriptTarget.Latest, true)

export function countCommentLines(source: ts.SourceFile): number {
  const lines = new Set<number>()
  for (const { pos, end } of listComments(source)) {
    const last = source.getLineAndCharacterOfPosition(end).line
    for (let line = source.getLineAndCharacterOfPosition(pos).line; line <= last; line++) lines.add(line)
  }
  return lines.size
}

interface Prose {
  line: number
  words: string
  isComment?: boolean
  isTitle?: boolean
}

const splitSentences = (words: string): string[] => words.split(/(?<=[.!?])\s+(?=[A-Z`"'(])/)

function extractProse(file: string, text: string, source: ts.SourceFile): Prose[] {
  if (CODE.test(file)) return extractCodeProse(file, source)
  if (HASH_COMMENTS.test(file)) return extractHashComments(text)
  return MARKDOWN.test(file) ? extractMarkdown(text) : []
}

function joinLines(lines: readonly (Prose & { starts: boolean })[]): Prose[] {
  const joined: Prose[] = []
  let previousLine = Number.NEGATIVE_INFINITY
  for (const { starts, ...prose } of lines) {
    const last = joined.at(-1)
    if (last && !starts && prose.line === previousLine + 1) last.words += ` ${prose.words}`
    else joined.push(prose)
    previousLine = prose.line
  }
  return joined
}

function extractHashComments(text: string): Prose[] {
  const lines = text.split('\n').flatMap((line, index) => {
    const [, before, words] = /^(.*?)(?<=^|\s)#\s(.*)$/.exec(line) ?? []
    if (!words) return []
    return [{ line: index + 1, words: replaceCode(words), isComment: true, starts: before!.trim() !== '' }]
  })
  return joinLines(lines)
}

function extractMarkdown(text: string): Prose[] {
  const withoutBlocks = text.replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, ''))
  const lines = withoutBlocks.split('\n').flatMap((line, index) => {
    const words = replaceCode(line).trim()
    return words ? [{ line: index + 1, words, starts: /^(#|[-*|>]|\d+\.)/.test(words) }] : []
  })
  return joinLines(lines)
}

function extractCodeProse(file: string, source: ts.SourceFile): Prose[] {
  const getLine = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const comments = listComments(source).map(({ pos, end, kind }) => ({
    line: getLine(pos),
    words: stripMarkers(source.text.slice(pos, end)),
    isComment: true,
    starts: kind === ts.SyntaxKind.MultiLineCommentTrivia,
  }))
  const found = joinLines(comments.sort((a, b) => a.line - b.line))
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node)) {
      const isTitle = isTestTitle(node)
      if (isTitle || (MESSAGES.test(file) && isMessage(node)))
        found.push({ line: getLine(node.getStart()), words: readLiteral(node), isTitle })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function listComments(source: ts.SourceFile): ts.CommentRange[] {
  const byStart = new Map<number, ts.CommentRange>()
  const add = (ranges: ts.CommentRange[] | undefined) => {
    for (const range of ranges ?? []) byStart.set(range.pos, range)
  }
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) return
    const children = node.getChildren(source)
    if (children.length === 0) {
      add(ts.getLeadingCommentRanges(source.text, node.getFullStart()))
      add(ts.getTrailingCommentRanges(source.text, node.getEnd()))
    }
    for (const child of children) visit(child)
  }
  visit(source)
  return [...byStart.values()]
}

const replaceCode = (text: string): string => text.replace(/`[^`\n]*`/g, '``')

const stripMarkers = (comment: string): string =>
  replaceCode(
    comment
      .replace(/^\/\*\*?|\*\/$|^\/\//g, '')
      .replace(/\n\s*\*? ?/g, ' ')
      .trim(),
  )

const isTestTitle = ({ parent }: ts.Node): boolean =>
  ts.isCallExpression(parent) &&
  /^(describe|it|test)\b/.test(parent.expression.getText()) &&
  parent.arguments.length > 1

function isMessage(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return false
  return /[a-z]{2,} [a-z]/i.test(node.getText())
}

const readLiteral = (node: ts.Node): string => {
  const text = node.getText().trim()
  const content = ts.isJsxText(node) ? text : text.slice(1, -1)
  return replaceCode(
    content
      .replace(/\$\{[^}]*\}/g, '…')
      .replaceAll('\\`', '`')
      .replace(/\\n|\s+/g, ' ')
      .replaceAll("\\'", "'"),
  ).trim()
}
