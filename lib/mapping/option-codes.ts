/** Finds fields whose options are codes of countries, currencies or languages. Pure. */
import type { Field } from '../../schemas/sheets/fields.ts'
import { CODE_KINDS, type CodeKind, findCode } from './codes.ts'
import type { Option, OptionName } from './option-words.ts'

const MIN_CODE_SHARE = 0.8

const MIN_OPTIONS_WITHOUT_NAMES = 5

/** Few short values can be codes by chance: `mr` and `ms` are countries and languages. */
function isCode(kind: CodeKind, names: readonly OptionName[], optionCount: number): boolean {
  const wholeNames = names.filter(({ isPart }) => !isPart)
  const longNames =
    optionCount < MIN_OPTIONS_WITHOUT_NAMES && kind !== 'currency'
      ? wholeNames.filter((name) => name.compact.length > 3)
      : []
  return (longNames.length > 0 ? longNames : wholeNames).some((name) => findCode(kind, name.compact))
}

export function findCodeKind(field: Field, options: readonly Option[]): CodeKind | undefined {
  if (options.length === 0) return undefined
  const shares = CODE_KINDS.map((kind) => ({
    kind,
    share: options.filter(({ names }) => isCode(kind, names, options.length)).length / options.length,
  })).filter(({ share }) => share >= MIN_CODE_SHARE)
  const best = shares.filter(({ share }) => share === Math.max(...shares.map((other) => other.share)))
  if (best.length <= 1) return best[0]?.kind
  const isLowerCase =
    field.type === 'enum' && options.every(({ value }) => String(value) === String(value).toLowerCase())
  return best.find(({ kind }) => kind === (isLowerCase ? 'language' : 'region'))?.kind
}
