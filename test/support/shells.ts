/** What in a block for a shell would not do the same when it is pasted into bash and into zsh. */

/** zsh takes these names for things of its own: a block that sets them breaks the shell. */
const TAKEN = new Set(['path', 'status', 'cdpath', 'fpath', 'manpath', 'argv', 'options', 'functions', 'commands'])

type Context = 'plain' | 'double' | 'single'

/**
 * Unquoted `[`, `?` and `*` are patterns, which zsh refuses where no file matches. A `#` begins no comment in an interactive zsh, and
 * backticks in what was meant as one are executed.
 */
export function pasteProblems(block: string): string[] {
  const problems: string[] = []
  for (const [number, line] of linesOf(withoutHereDocuments(block))) {
    for (const what of problemsIn(line)) problems.push(`line ${number}: ${what}: ${line.split('\n')[0]!.trim()}`)
  }
  return problems
}

const withoutHereDocuments = (block: string): string =>
  block.replace(/(<<'(\w+)'[^\n]*\n)[\s\S]*?^\2$/gm, (all, head: string, end: string) => {
    return head + '\n'.repeat(all.split('\n').length - 2) + end
  })

/** Logical lines: a quote that is open at the end of a line goes on in the next one. */
function linesOf(block: string): [number: number, text: string][] {
  const found: [number, string][] = []
  let [open, number, start] = ['', 0, 1]
  for (const line of block.split('\n')) {
    number++
    open = open === '' ? line : `${open}\n${line}`
    if (scan(open).context !== 'plain') continue
    found.push([start, open])
    ;[open, start] = ['', number + 1]
  }
  return open === '' ? found : [...found, [start, open]]
}

const problemsIn = (line: string): string[] => {
  const { problems } = scan(line)
  const names = [...line.matchAll(/(?:^|[\s;(])(\w+)=/g)].map(([, name]) => name!).filter((name) => TAKEN.has(name))
  return [...problems, ...names.map((name) => `the name ${name}`)]
}

/** Reads character by character; `$(` in a text opens a command, in which quotes begin from nothing. */
function scan(text: string): { context: Context; problems: string[] } {
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
