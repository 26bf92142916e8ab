/** Which sheet a table belongs into, by the names of its columns. Pure. */
import type { Shape } from '../../shared/api/shape.ts'

type Sheet = Shape<'Sheet'>

const MIN_PART_LENGTH = 4
const SAME_NAME_SCORE = 2
const UNMAPPED_REQUIRED_SCORE = 0.5

export const normalizeName = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

const isSimilar = (name: string, other: string): boolean =>
  name === other ||
  (Math.min(name.length, other.length) >= MIN_PART_LENGTH && (name.includes(other) || other.includes(name)))

interface Named {
  key: string
  label?: string | null
  alternativeNames?: readonly string[] | null
}

const listNames = ({ key, label, alternativeNames }: Named): string[] =>
  [key, label ?? '', ...(alternativeNames ?? [])].map(normalizeName).filter((name) => name !== '')

/** 2 for an equal name, 1 for one that contains the other. */
export function compareNames(one: Named, other: Named): number {
  const pairs = listNames(one).flatMap((name) => listNames(other).map((otherName) => [name, otherName] as const))
  if (pairs.some(([name, otherName]) => name === otherName)) return 2
  return pairs.some(([name, otherName]) => isSimilar(name, otherName)) ? 1 : 0
}

export function scoreTarget(source: Sheet, target: Sheet): number {
  const columns = source.config.fields
  let score = normalizeName(source.name) === normalizeName(target.name) ? SAME_NAME_SCORE : 0
  for (const field of target.config.fields) {
    const best = Math.max(0, ...columns.map((column) => compareNames(column, field)))
    if (best > 0) score += best / 2
    else if ((field.constraints ?? []).some(({ type }) => type === 'required')) score -= UNMAPPED_REQUIRED_SCORE
  }
  return score
}

export const chooseTarget = (source: Sheet, targets: readonly Sheet[]): Sheet | undefined =>
  targets.reduce<Sheet | undefined>(
    (best, target) => (best && scoreTarget(source, best) >= scoreTarget(source, target) ? best : target),
    undefined,
  )
