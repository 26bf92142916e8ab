/** Finds words and sentence forms that make readers translate. `npm run language` runs it over the whole repository. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ts from 'typescript'

export interface Finding {
  file: string
  line: number
  /** The standard term to use. */
  instead: string
  text: string
}

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
  { pattern: /\bkept\b/i, instead: 'stored, cached, retained, saved' },
  { pattern: /\bbeside\b/i, instead: 'next to, besides, in addition to' },
  { pattern: /\bat hand\b/i, instead: 'available, already loaded' },
  { pattern: /\bby (itself|themselves)\b/i, instead: 'automatically, on its own' },
  { pattern: /\bof (its|their|one's|your) own\b/i, instead: 'own, separate, dedicated' },
  { pattern: /\b(is|are|was|were) none\b/i, instead: 'is not one, does not exist' },
  { pattern: /(?<!\bthere )\b(is|are) no (?!longer|more|less|fewer)/i, instead: 'is not a' },
  { pattern: /\b(gone|goes|go) back to\b/i, instead: 'reverted to, restored' },
  { pattern: /\bcomes? in\b/i, instead: 'signs in, gets access, arrives' },
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

/** A comment or title that starts with a relative clause has no subject to point at. */
const NOUN_CLAUSE: Rule = { pattern: /^(What|Where|Of|Who|Whoever) /, instead: 'a noun, or a sentence with a subject' }

const CODE = /\.(ts|tsx|cjs|mjs)$/
/** Written by a program, or imitating the words of somebody else's product. */
const SKIPPED = /generated|^localstack\/conformance\.|^docs\/figures|^package-lock\.json$|^scripts\/plain-language\.ts$/
/** String literals there are texts for people when they have a space. */
const SPEAKS = /^(lib|functions|schemas|packages|web|localstack|scripts)\//

export function repositoryFiles(root: string): string[] {
  const listed = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  return listed.split('\n').filter((file) => /\.(ts|tsx|cjs|mjs|md|yml)$/.test(file) && !SKIPPED.test(file))
}

/** All findings of some files, in order. */
export function findDialect(root: string, files = repositoryFiles(root)): Finding[] {
  return files.flatMap((file) => checkText(file, readFileSync(`${root}/${file}`, 'utf8')))
}

/** The findings of one file. Exported for its tests. */
export function checkText(file: string, text: string): Finding[] {
  const found: Finding[] = []
  for (const { line, words, isComment, isTitle } of prose(file, text)) {
    const rules = isComment || isTitle ? [NOUN_CLAUSE, ...WORDS] : WORDS
    for (const { pattern, instead } of rules) {
      if (pattern.test(words)) found.push({ file, line, instead, text: words.slice(0, 200) })
    }
  }
  return found
}

interface Prose {
  line: number
  words: string
  isComment?: boolean
  isTitle?: boolean
}

function prose(file: string, text: string): Prose[] {
  if (CODE.test(file)) return proseOfCode(file, text)
  if (file.endsWith('.yml')) return proseOfYaml(text)
  return proseOfMarkdown(text)
}

function proseOfYaml(text: string): Prose[] {
  return text.split('\n').flatMap((line, index) => {
    const comment = /(?:^|\s)#\s(.*)$/.exec(line)?.[1]
    return comment ? [{ line: index + 1, words: comment }] : []
  })
}

function proseOfMarkdown(text: string): Prose[] {
  const blank = (code: string) => code.replace(/[^\n]/g, ' ')
  const plain = text.replace(/```[\s\S]*?```/g, blank).replace(/`[^`\n]*`/g, blank)
  return plain.split('\n').flatMap((line, index) => (line.trim() ? [{ line: index + 1, words: line.trim() }] : []))
}

function proseOfCode(file: string, text: string): Prose[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const found: Prose[] = commentsOf(source).map(({ pos, end }) => ({
    line: lineAt(pos),
    words: stripMarkers(text.slice(pos, end)),
    isComment: true,
  }))
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node)) {
      const isTitle = isTestTitle(node)
      if (isTitle || (SPEAKS.test(file) && isForPeople(node)))
        found.push({ line: lineAt(node.getStart()), words: literalText(node), isTitle })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function commentsOf(source: ts.SourceFile): ts.CommentRange[] {
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

const stripMarkers = (comment: string): string =>
  comment
    .replace(/^\/\*\*?|\*\/$|^\/\//g, '')
    .replace(/\n\s*\*? ?/g, ' ')
    .replace(/`[^`]*`/g, '``')
    .trim()

const isTestTitle = ({ parent }: ts.Node): boolean =>
  ts.isCallExpression(parent) &&
  /^(describe|it|test)\b/.test(parent.expression.getText()) &&
  parent.arguments.length > 1

function isForPeople(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return false
  return /[a-z]{2,} [a-z]/i.test(node.getText())
}

const literalText = (node: ts.Node): string =>
  node
    .getText()
    .replace(/\$\{[^}]*\}/g, '…')
    .replace(/`[^`]*`/g, (code) => (code.length === node.getText().length ? code.slice(1, -1) : '``'))
    .replace(/^['"]|['"]$/g, '')
