/** Pairs names that start like those of another pair: if `Caller` is the `Requester`, `Caller mail` is their email. Pure. */
import type { Column, Target } from './candidates.ts'
import { hasValuesOf, pairLeft } from './left.ts'
import { listLeft, type Match } from './matches.ts'
import type { Name, Word } from './names.ts'

export function matchSiblingsLeft(
  columns: readonly Column[],
  targets: readonly Target[],
  matches: readonly Match[],
): Match[] {
  const isSibling = (row: number, column: number): boolean =>
    hasValuesOf(columns[column]!, targets[row]!) &&
    matches.some((match) =>
      haveSameEnding(
        listEndings(columns[column]!.names, columns[match.column]!.names),
        listEndings(targets[row]!.names, targets[match.row]!.names),
      ),
    )
  return pairLeft(listLeft(columns, targets, matches), isSibling)
}

const listEndings = (names: readonly Name[], starts: readonly Name[]): (readonly Word[])[] =>
  names.flatMap(({ words }) =>
    starts.flatMap((start) => (isStart(start.words, words) ? [words.slice(start.words.length)] : [])),
  )

const isStart = (start: readonly Word[], words: readonly Word[]): boolean =>
  start.length > 0 && start.length < words.length && start.every(({ text }, at) => text === words[at]!.text)

const haveSameEnding = (own: readonly (readonly Word[])[], others: readonly (readonly Word[])[]): boolean =>
  own.some((a) => others.some((b) => a.length === b.length && a.every(({ text }, at) => text === b[at]!.text)))
