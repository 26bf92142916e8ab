import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { format } from 'node:util'

const FRAME = /\(?((?:file:\/\/)?\/?[^\s()]+?):(\d+):(\d+)\)?$/
const LINES_AROUND = 2

interface Place {
  path: string
  line: number
  column: number
}

const isOwn = (path: string): boolean => !/node_modules|^node:|packages[/\\](listener|sdk)[/\\]/.test(path)

function findPlace(stack: string): Place | undefined {
  for (const text of stack.split('\n')) {
    if (!/^\s+at /.test(text)) continue
    const [, path, line, column] = FRAME.exec(text.trim()) ?? []
    if (path && isOwn(path) && readLines(path))
      return { path: toPath(path), line: Number(line), column: Number(column) }
  }
  return undefined
}

const toPath = (path: string): string => path.replace(/^file:\/\//, '')

function readLines(path: string): string[] | undefined {
  try {
    return readFileSync(toPath(path), 'utf8').split('\n')
  } catch {
    return undefined
  }
}

const formatPlace = ({ path, line }: Place): string => `${relative(process.cwd(), path)}:${line}`

export function locate(stack: string): string {
  const place = findPlace(stack)
  return place ? formatPlace(place) : ''
}

export function formatError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : format(error)
  const place = error instanceof Error ? findPlace(error.stack ?? '') : undefined
  if (!place) return error instanceof Error ? (error.stack ?? text) : text
  return [text, `    at ${formatPlace(place)}`, ...excerpt(place)].join('\n')
}

function excerpt({ path, line, column }: Place): string[] {
  const lines = readLines(path) ?? []
  const from = Math.max(1, line - LINES_AROUND)
  const width = String(line + LINES_AROUND).length
  return lines.slice(from - 1, line + LINES_AROUND).flatMap((text, index) => {
    const number = from + index
    const isLine = number === line
    const shown = `  ${isLine ? '>' : ' '} ${String(number).padStart(width)} | ${text}`
    return isLine ? [shown, `    ${' '.repeat(width)} | ${' '.repeat(Math.max(0, column - 1))}^`] : [shown]
  })
}
