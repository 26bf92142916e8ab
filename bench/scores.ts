/**
 * Scores of results, next to the best other one that is known. `npm run bench -- scores` writes docs/scores.md from what
 * the commands named there have recorded.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BenchRow } from './row.ts'

const FIGURES = resolve(import.meta.dirname, 'figures')
const RECORDED = resolve(FIGURES, 'scores.json')
const PUBLIC_SUITE = resolve(import.meta.dirname, '../packages/local-cloud/conformance/public-results.json')
const PAGE = resolve(import.meta.dirname, '../docs/scores.md')

interface Score {
  what: string
  of: string
  value: string
  other: string
}

interface RecordedScores {
  measuredAt: string
  scores: Score[]
}

interface Section extends RecordedScores {
  title: string
  about: string
  command: string
}

export const formatShare = (part: number, whole: number, digits = 2): string =>
  `${((100 * part) / whole).toFixed(digits)} %`

const readJson = <T>(path: string): T | undefined =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined

const readRecorded = (): Record<string, RecordedScores> => readJson(RECORDED) ?? {}

export function saveScores(name: keyof typeof RECORDED_SECTIONS, scores: Score[]): void {
  const recorded = { ...readRecorded(), [name]: { measuredAt: new Date().toISOString().slice(0, 10), scores } }
  writeFileSync(RECORDED, `${JSON.stringify(recorded, null, 1)}\n`)
  writeScoresPage()
}

const RECORDED_SECTIONS = {
  messy: {
    title: 'Messy files',
    about:
      'Files as customers send them, imported as suggested without a touch, and compared with the records that they mean. ' +
      'The reader has learned from all of them. Before, the 68 files written last had 94 % of their cells as meant ' +
      'and 81 % of their rows valid.',
    command: 'npm run corpus',
  },
  pollock: {
    title: 'CSV: Pollock',
    about:
      'The public benchmark [Pollock](https://github.com/HPI-Information-Systems/Pollock) (VLDB 2023): polluted files ' +
      'and a sample of real ones, read without options. 10 is the best score. Nearly all polluted files are variants ' +
      'of one file with 84 rows.',
    command: 'POLLOCK=folder npm run bench -- pollock',
  },
  files: {
    title: 'Files of every format',
    about: 'Sample files are compared cell by cell. Hostile files must be refused with the place and the reason.',
    command: 'npm run bench -- corpus',
  },
  valentine: {
    title: 'Column matching: Valentine',
    about: 'Public pairs of tables ([Valentine](https://delftdata.github.io/valentine/), ICDE 2021).',
    command: 'npm run bench -- valentine',
  },
} as const

const listRecordedSections = (): Section[] => {
  const recorded = readRecorded()
  return Object.entries(RECORDED_SECTIONS).flatMap(([name, section]) =>
    recorded[name] ? [{ ...section, ...recorded[name] }] : [],
  )
}

const MAPPING_ROWS = /^(recall|precision), (known files|held-out files|headers collected later)$/

function listMappingSection(): Section[] {
  const results = readJson<{ rows: (BenchRow & { measuredAt: string })[] }>(resolve(FIGURES, 'mapping.json'))
  const best = new Map<string, BenchRow & { measuredAt: string }>()
  for (const row of results?.rows.filter(({ what }) => MAPPING_ROWS.test(what)) ?? [])
    if (row.referenceValue > (best.get(row.what)?.referenceValue ?? -1)) best.set(row.what, row)
  const rows = [...best.values()]
  if (rows.length === 0) return []
  return [
    {
      title: 'Mapping pairs',
      about: 'Headers of real files and the fields that they mean, by their names only.',
      command: 'npm run bench -- mapping --record',
      measuredAt: rows.map(({ measuredAt }) => measuredAt).sort()[0]!,
      scores: rows.map(({ what, rows: count, value, reference, referenceValue }) => ({
        what,
        of: `${count} pairs`,
        value: `${value.toFixed(1)} %`,
        other: `${referenceValue.toFixed(1)} %, ${reference}`,
      })),
    },
  ]
}

interface SuiteResults {
  version: string
  measuredAt: string
  tiers: Record<string, { passed: number; failed: Record<string, number> }>
}

function listDynamodbSection(): Section[] {
  const { embedded, ...others } = readJson<Record<string, SuiteResults>>(PUBLIC_SUITE) ?? {}
  if (!embedded) return []
  const score = ({ passed, failed }: (typeof embedded.tiers)[string]) => {
    const all = passed + Object.values(failed).reduce((sum, count) => sum + count, 0)
    return { all, share: formatShare(passed, all, 1) }
  }
  const scores = Object.entries(embedded.tiers).map(([tier, own]) => {
    const { all, share } = score(own)
    const other = Object.entries(others).map(([name, { version, tiers }]) =>
      tiers[tier] ? `${score(tiers[tier]).share}, ${name} ${version}` : '',
    )
    return { what: tier.replace('tier', 'tier '), of: `${all} tests`, value: share, other: other.join('; ') }
  })
  const missing = Object.values(embedded.tiers).flatMap(({ failed }) => Object.entries(failed))
  return [
    {
      title: 'The embedded DynamoDB',
      about:
        'The public suite [dynamodb-conformance](https://github.com/nubo-db/dynamodb-conformance). The embedded DynamoDB has ' +
        'what the platform uses and rejects everything else by name: UpdateTable, PartiQL, streams, read transactions, tags, ' +
        'the sizes of item collections, capacity by index, and parameters older than expressions. Tier 3 compares the ' +
        `wording of errors. Files with tests that did not pass: ${missing.map(([file, count]) => `${file} (${count})`).join(', ')}.`,
      command: 'DYNAMODB_CONFORMANCE=folder npm run test:nightly -- public-suite',
      measuredAt: embedded.measuredAt,
      scores,
    },
  ]
}

interface FuzzResults {
  cases: number
  findings: number
  parts: Record<string, { at: string }>
}

function listFuzzSection(): Section[] {
  const results = readJson<FuzzResults>(resolve(FIGURES, 'fuzz.json'))
  if (!results) return []
  const { cases, findings, parts } = results
  return [
    {
      title: 'Generated requests',
      about: 'Schemathesis sends requests that it generates from the OpenAPI document, and checks every response.',
      command: 'npm run test:nightly -- fuzz',
      measuredAt: Object.values(parts)
        .map(({ at }) => at.slice(0, 10))
        .sort()[0]!,
      scores: [{ what: 'findings', of: `${cases} requests`, value: String(findings), other: '' }],
    },
  ]
}

interface MutationResults {
  [area: string]: { measuredAt: string; detected: number; total: number; sample?: string }
}

function listMutationSection(): Section[] {
  const results = Object.entries(readJson<MutationResults>(resolve(FIGURES, 'mutation.json')) ?? {})
  if (results.length === 0) return []
  return [
    {
      title: 'Mutations',
      about: 'Small changes to the code, and the share of them that a test detects.',
      command: 'npm run test:nightly -- mutation',
      measuredAt: results.map(([, { measuredAt }]) => measuredAt).sort()[0]!,
      scores: results.map(([area, { detected, total, sample }]) => ({
        what: area,
        of: `${total} changes${sample ? ` (a sample of ${sample})` : ''}`,
        value: formatShare(detected, total, 1),
        other: '',
      })),
    },
  ]
}

function renderSection({ title, about, command, measuredAt, scores }: Section): string {
  const rows = scores.map(({ what, of, value, other }) => `| ${what} | ${of} | ${value} | ${other} |`)
  const table = ['| | of | Wharf | best other |', '| --- | --- | --- | --- |', ...rows].join('\n')
  return `## ${title}\n\n${about}\n\n${table}\n\n\`${command}\`, last run on ${measuredAt}.\n`
}

const HEAD = `# Scores

Generated by \`npm run bench -- scores\`; do not edit. How well the platform reads and matches, with the command that
measures it and the best other score that was measured in the same run or published. How fast it is: [figures](../bench/figures.md).
`

export function writeScoresPage(): void {
  const sections = [
    ...listRecordedSections(),
    ...listMappingSection(),
    ...listDynamodbSection(),
    ...listFuzzSection(),
    ...listMutationSection(),
  ]
  writeFileSync(PAGE, `${HEAD}\n${sections.map(renderSection).join('\n')}`)
}
