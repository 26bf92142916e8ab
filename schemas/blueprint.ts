/**
 * Validates the sheets of a workbook together: slugs, references between sheets, constraints over fields. Takes sheets that are
 * wrong in themselves, too, so that a request is answered with every problem at the same time.
 */
import type * as z from 'zod'
import { didYouMean } from './nearest.ts'

/** A sheet as far as another one can name it. */
export interface BlueprintSheet {
  /** Of a sheet that exists. */
  id?: string | null | undefined
  name?: string | null | undefined
  slug?: string | null | undefined
  allowAdditionalFields?: boolean | null | undefined
  fields?: readonly unknown[] | null | undefined
  constraints?: readonly unknown[] | null | undefined
}

export interface BlueprintProblem {
  /** Index of the sheet. */
  sheet: number
  path: (string | number)[]
  message: string
}

type Loose = { readonly [key: string]: unknown }
const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The slug of a name. */
const slugOfName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '') || 'sheet'

/** The slugs of sheets: those they ask for; a sheet that asks for none has its name's, with a number where that is taken. */
export function slugsOf(sheets: readonly BlueprintSheet[], taken: readonly string[] = []): string[] {
  const used = new Set([...taken, ...sheets.flatMap(({ slug }) => slug ?? [])])
  return sheets.map(({ name, slug }) => {
    if (slug != null) return slug
    const free = freeSlug(slugOfName(String(name ?? '')), used)
    used.add(free)
    return free
  })
}

/** The wanted slug, with a number where it is taken. */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  let free = wanted
  for (let number = 2; taken.has(free); number++) free = `${wanted}-${number}`
  return free
}

/** The sheet a name means: by slug, else by name, else by id. */
export const sheetNamed = <T extends BlueprintSheet>(sheets: readonly T[], name: string): T | undefined =>
  sheets.find(({ slug }) => slug === name) ??
  sheets.find((sheet) => sheet.name === name) ??
  sheets.find(({ id }) => id === name)

const keysOf = (sheet: BlueprintSheet): string[] =>
  listOf(sheet.fields).flatMap((field) => (isObject(field) && typeof field.key === 'string' ? [field.key] : []))

/**
 * Every problem of the sheets as one workbook; for a sheet that may have more fields than it names, none about its fields.
 */
export function blueprintProblems(given: readonly BlueprintSheet[]): BlueprintProblem[] {
  const slugs = slugsOf(given)
  const sheets = given.map((sheet, index) => ({ ...sheet, slug: slugs[index]! }))
  return sheets.flatMap((sheet, index) => {
    const at = (path: (string | number)[], message: string): BlueprintProblem => ({ sheet: index, path, message })
    return [
      ...(slugs.indexOf(sheet.slug) < index ? [at(['slug'], `is the slug of two sheets: ${sheet.slug}`)] : []),
      ...listOf(sheet.fields).flatMap((field, number) => referenceProblems(sheets, field, ['fields', number], at)),
      ...listOf(sheet.constraints).flatMap((one, number) =>
        constraintProblems(sheet, one, ['constraints', number], at),
      ),
    ]
  })
}

type At = (path: (string | number)[], message: string) => BlueprintProblem

function referenceProblems(
  sheets: readonly (BlueprintSheet & { slug: string })[],
  field: unknown,
  path: (string | number)[],
  at: At,
): BlueprintProblem[] {
  if (!isObject(field) || (field.type !== 'reference' && field.type !== 'reference-list')) return []
  const { ref, key, filter } = isObject(field.config) ? field.config : {}
  if (typeof ref !== 'string' || ref === '') return []
  const config = [...path, 'config']
  const target = sheetNamed(sheets, ref)
  if (!target) {
    const known = sheets.map(({ slug }) => slug)
    return [at([...config, 'ref'], `is not a sheet of the workbook: ${ref}.${didYouMean(ref, known)}`)]
  }
  const refField = isObject(filter) ? filter.refField : undefined
  return [
    ...missing(target, key, (message) => at([...config, 'key'], message)),
    ...missing(target, refField, (message) => at([...config, 'filter', 'refField'], message)),
  ]
}

/** A problem where the sheet cannot have the field. */
function missing(
  sheet: BlueprintSheet & { slug?: string | null | undefined },
  key: unknown,
  problem: (message: string) => BlueprintProblem,
): BlueprintProblem[] {
  const keys = keysOf(sheet)
  if (typeof key !== 'string' || key === '' || keys.includes(key) || sheet.allowAdditionalFields) return []
  return [problem(`is not a field of the sheet ${sheet.slug}: ${key}.${didYouMean(key, keys)}`)]
}

function constraintProblems(
  sheet: BlueprintSheet & { slug: string },
  constraint: unknown,
  path: (string | number)[],
  at: At,
): BlueprintProblem[] {
  if (!isObject(constraint)) return []
  return ['fields', 'requiredFields'].flatMap((list) =>
    listOf(constraint[list]).flatMap((key, index) =>
      missing(sheet, key, (message) => at([...path, list, index], message)),
    ),
  )
}

/** For a schema with `sheets`: their problems as a workbook, together with what else is wrong. */
export const blueprintCheck = [
  (value: { sheets?: readonly BlueprintSheet[] | undefined }, context: z.RefinementCtx): void => {
    const sheets = listOf(value.sheets).map((sheet) => (isObject(sheet) ? (sheet as BlueprintSheet) : {}))
    for (const { sheet, path, message } of blueprintProblems(sheets))
      context.addIssue({ code: 'custom', path: ['sheets', sheet, ...path], message })
  },
  { when: ({ value }: { value: unknown }) => isObject(value) },
] as const

/** The problems that the sheets have after a change and did not have before; sheets that stay have their `id`. */
export function newProblems(before: readonly BlueprintSheet[], after: readonly BlueprintSheet[]): BlueprintProblem[] {
  const textOf = (sheets: readonly BlueprintSheet[]) => (problem: BlueprintProblem) =>
    `${sheets[problem.sheet]?.id}: ${problem.message}`
  const old = new Set(blueprintProblems(before).map(textOf(before)))
  return blueprintProblems(after).filter((problem) => !old.has(textOf(after)(problem)))
}
