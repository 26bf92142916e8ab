const RESERVED_NAMES = new Set([
  'path',
  'status',
  'cdpath',
  'fpath',
  'manpath',
  'argv',
  'options',
  'functions',
  'commands',
])

type Context = 'plain' | 'double' | 'single'

/**
 * Unquoted `[`, `?` and `*` are globs, which zsh rejects without a match. In an interactive zsh `#` does not start a
 * comment, so backticks in it are executed.
 */
export function findPasteProblems(block: string): string[] {
  const problems: string[] = []
  for (const [number, line] of splitLogicalLines(removeHereDocuments(block))) {
    for (const what of findLineProblems(line)) problems.push(`line ${number}: ${what}: ${line.split('\n')[0]!.trim()}`)
  }
  return problems
}

const removeHereDocuments = (block: string): string =>
  block.replace(/(<<'(\w+)'[^\n]*\n)[\s\S]*?^\2$/gm, (all, head: string, end: string) => {
    return head + '\n'.repeat(all.split('\n').length - 2) + end
  })

function splitLogicalLines(block: string): [number: number, text: string][] {
  const found: [number, string][] = []
  let [open, number, start] = ['', 0, 1]
  for (const line of block.split('\n')) {
    number++
    open = open === '' ? line : `${open}\n${line}`
    if (scanLine(open).context !== 'plain') continue
    found.push([start, open])
    ;[open, start] = ['', number + 1]
  }
  return open === '' ? found : [...found, [start, open]]
}

const findLineProblems = (line: string): string[] => {
  const { problems } = scanLine(line)
  const names = [...line.matchAll(/(?:^|[\s;(])(\w+)=/g)]
    .map(([, name]) => name!)
    .filter((name) => RESERVED_NAMES.has(name))
  return [...problems, ...names.map((name) => `the name ${name}`)]
}

function scanLine(text: string): { context: Context; problems: string[] } {
  const problems: string[] = []
  const outer: Context[] = []
  let context: Context = 'plain'
  for (let i = 0; i < text.length; i++) {
    const [char, before, next] = [text[i]!, text[i - 1] ?? ' ', text[i + 1] ?? ' ']
    if (context === 'single') {
      if (char === "'") context = 'plain'
    } else if (char === '\\') i++
    else if (char === '`') problems.push('a backtick')
    else if (char === '$' && next === '(') {
      outer.push(context)
      context = 'plain'
      i++
    } else if (char === '$' && next === '{') i = text.indexOf('}', i)
    else if (char === '"') context = context === 'double' ? 'plain' : 'double'
    else if (context === 'double') continue
    else if (char === "'") context = 'single'
    else if (char === '(') outer.push('plain')
    else if (char === ')') context = outer.pop() ?? 'plain'
    else if ('[?*'.includes(char)) problems.push(`an unquoted ${char}`)
    else if (/\s/.test(before) && char === '#') problems.push('a comment')
    else if (/\s/.test(before) && char === '=' && /\S/.test(next)) problems.push('a word that begins with =')
  }
  return { context: outer.length > 0 ? 'double' : context, problems }
}
