/** Validates the sheets of a workbook together. Accepts invalid sheets, so that one response lists all problems. */
import type * as z from 'zod'
import { findNearest } from '../kit/nearest.ts'
import { message } from '../messages/index.ts'

export interface BlueprintSheet {
  id?: string | null | undefined
  name?: string | null | undefined
  slug?: string | null | undefined
  allowAdditionalFields?: boolean | null | undefined
  fields?: readonly unknown[] | null | undefined
  constraints?: readonly unknown[] | null | undefined
}

export interface BlueprintProblem {
  sheet: number
  path: (string | number)[]
  message: string
}

type UnknownObject = { readonly [key: string]: unknown }
const isObject = (value: unknown): value is UnknownObject => typeof value === 'object' && value !== null
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const buildSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '') || 'sheet'

/** Missing slugs are derived from names, with a number if taken. */
export function assignSlugs(sheets: readonly BlueprintSheet[], taken: readonly string[] = []): string[] {
  const used = new Set([...taken, ...sheets.flatMap(({ slug }) => slug ?? [])])
  return sheets.map(({ name, slug }) => {
    if (slug != null) return slug
    const candidate = findFreeSlug(buildSlug(String(name ?? '')), used)
    used.add(candidate)
    return candidate
  })
}

export function findFreeSlug(requested: string, taken: ReadonlySet<string>): string {
  let candidate = requested
  for (let number = 2; taken.has(candidate); number++) candidate = `${requested}-${number}`
  return candidate
}

export const findSheet = <T extends BlueprintSheet>(sheets: readonly T[], name: string): T | undefined =>
  sheets.find(({ slug }) => slug === name) ??
  sheets.find((sheet) => sheet.name === name) ??
  sheets.find(({ id }) => id === name)

const getFieldKeys = (sheet: BlueprintSheet): string[] =>
  asList(sheet.fields).flatMap((field) => (isObject(field) && typeof field.key === 'string' ? [field.key] : []))

export function findBlueprintProblems(blueprints: readonly BlueprintSheet[]): BlueprintProblem[] {
  const slugs = assignSlugs(blueprints)
  const sheets = blueprints.map((sheet, index) => ({ ...sheet, slug: slugs[index]! }))
  return sheets.flatMap((sheet, index) => {
    const buildProblem = (path: (string | number)[], message: string): BlueprintProblem => ({
      sheet: index,
      path,
      message,
    })
    return [
      ...(slugs.indexOf(sheet.slug) < index
        ? [buildProblem(['slug'], message('records.duplicateSlug', { slug: sheet.slug }))]
        : []),
      ...asList(sheet.fields).flatMap((field, number) =>
        findReferenceProblems(sheets, field, ['fields', number], buildProblem),
      ),
      ...asList(sheet.constraints).flatMap((constraint, number) =>
        findConstraintProblems(sheet, constraint, ['constraints', number], buildProblem),
      ),
    ]
  })
}

type ProblemBuilder = (path: (string | number)[], message: string) => BlueprintProblem

function findReferenceProblems(
  sheets: readonly (BlueprintSheet & { slug: string })[],
  field: unknown,
  path: (string | number)[],
  buildProblem: ProblemBuilder,
): BlueprintProblem[] {
  if (!isObject(field) || (field.type !== 'reference' && field.type !== 'reference-list')) return []
  const { ref, key, filter } = isObject(field.config) ? field.config : {}
  if (typeof ref !== 'string' || ref === '') return []
  const config = [...path, 'config']
  const target = findSheet(sheets, ref)
  if (!target) {
    const slugs = sheets.map(({ slug }) => slug)
    return [buildProblem([...config, 'ref'], formatMissingSheet(ref, findNearest(ref, slugs)))]
  }
  const refField = isObject(filter) ? filter.refField : undefined
  return [
    ...findMissingField(target, key, (message) => buildProblem([...config, 'key'], message)),
    ...findMissingField(target, refField, (message) => buildProblem([...config, 'filter', 'refField'], message)),
  ]
}

function findMissingField(
  sheet: BlueprintSheet & { slug?: string | null | undefined },
  key: unknown,
  buildProblem: (message: string) => BlueprintProblem,
): BlueprintProblem[] {
  const keys = getFieldKeys(sheet)
  if (typeof key !== 'string' || key === '' || keys.includes(key) || sheet.allowAdditionalFields) return []
  return [buildProblem(formatMissingField(String(sheet.slug), key, findNearest(key, keys)))]
}

const formatMissingSheet = (sheet: string, suggestion: string | undefined): string =>
  suggestion === undefined
    ? message('records.noSheet', { sheet })
    : message('records.noSheetButSimilar', { sheet, suggestion })

const formatMissingField = (sheet: string, field: string, suggestion: string | undefined): string =>
  suggestion === undefined
    ? message('records.noReferencedField', { sheet, field })
    : message('records.noReferencedFieldButSimilar', { sheet, field, suggestion })

function findConstraintProblems(
  sheet: BlueprintSheet & { slug: string },
  constraint: unknown,
  path: (string | number)[],
  buildProblem: ProblemBuilder,
): BlueprintProblem[] {
  if (!isObject(constraint)) return []
  return ['fields', 'requiredFields'].flatMap((list) =>
    asList(constraint[list]).flatMap((key, index) =>
      findMissingField(sheet, key, (message) => buildProblem([...path, list, index], message)),
    ),
  )
}

export const blueprintCheck = [
  (value: { sheets?: readonly BlueprintSheet[] | undefined }, context: z.RefinementCtx): void => {
    const sheets = asList(value.sheets).map((sheet) => (isObject(sheet) ? (sheet as BlueprintSheet) : {}))
    for (const { sheet, path, message } of findBlueprintProblems(sheets))
      context.addIssue({ code: 'custom', path: ['sheets', sheet, ...path], message })
  },
  { when: ({ value }: { value: unknown }) => isObject(value) },
] as const

/** Problems that `after` has and `before` does not. Existing sheets have an `id`. */
export function findNewProblems(
  before: readonly BlueprintSheet[],
  after: readonly BlueprintSheet[],
): BlueprintProblem[] {
  const formatProblem = (sheets: readonly BlueprintSheet[]) => (buildProblem: BlueprintProblem) =>
    `${sheets[buildProblem.sheet]?.id}: ${buildProblem.message}`
  const existing = new Set(findBlueprintProblems(before).map(formatProblem(before)))
  return findBlueprintProblems(after).filter((buildProblem) => !existing.has(formatProblem(after)(buildProblem)))
}
