import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

export interface Block {
  language: string
  text: string
  line: number
  notRun: boolean
}

export function readBlocks(path: string): Block[] {
  const markdown = readFileSync(resolve(ROOT, path), 'utf8')
  return [...markdown.matchAll(/(<!-- not run: [^>]+ -->\n+)?^```(\w*)\n([\s\S]*?)^```$/gm)].map((found) => ({
    language: found[2]!,
    text: found[3]!,
    line: markdown.slice(0, found.index).split('\n').length,
    notRun: found[1] !== undefined,
  }))
}
