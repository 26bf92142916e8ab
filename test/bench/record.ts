/**
 * Saves rows for `npm run bench -- --record` and renders the page and the chart. A partial run replaces only its own
 * rows.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { COLUMNS, computeRatio, isReached, toCells } from './line.ts'
import type { BenchRow } from './row.ts'
import { PROMISES } from './targets.ts'

const DOCS = resolve(import.meta.dirname, '../../docs')
const FIGURES = resolve(DOCS, 'figures')

interface BenchResults {
  machine: string
  rows: (BenchRow & { measuredAt: string })[]
}

const getResultsPath = (bench: string): string => resolve(FIGURES, `${bench}.json`)

const readResults = (bench: string): BenchResults | undefined =>
  existsSync(getResultsPath(bench))
    ? (JSON.parse(readFileSync(getResultsPath(bench), 'utf8')) as BenchResults)
    : undefined

const formatRowKey = ({ what, rows, reference }: BenchRow): string => `${what} ${rows ?? ''} ${reference}`

export function saveRows(bench: string, rows: readonly BenchRow[]): void {
  mkdirSync(FIGURES, { recursive: true })
  const measuredAt = new Date().toISOString().slice(0, 10)
  const found = new Map((readResults(bench)?.rows ?? []).map((row) => [formatRowKey(row), row]))
  for (const row of rows) found.set(formatRowKey(row), { ...row, measuredAt })
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
  const results: BenchResults = { machine, rows: [...found.values()].sort((a, b) => (a.rows ?? 0) - (b.rows ?? 0)) }
  writeFileSync(getResultsPath(bench), `${JSON.stringify(results, null, 1)}\n`)
}

export function writeFigures(): void {
  const benches = readdirSync(FIGURES)
    .map((file) => file.replace(/\.json$/, ''))
    .filter((bench) => readResults(bench)?.rows)
  const results = new Map(benches.map((bench) => [bench, readResults(bench)!]))
  const promises = PROMISES.flatMap(({ promise, bench, what, rows }) => {
    const row = results.get(bench)?.rows.find((one) => one.what === what && one.rows === rows)
    return row ? [{ ...row, what: promise }] : []
  })
  writeFileSync(resolve(DOCS, 'figures.md'), renderPage(promises, results))
  writeFileSync(resolve(DOCS, 'figures.svg'), renderChart(promises))
}

const renderTable = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const padCells = (cells: readonly string[]): string[] => COLUMNS.map((_, i) => cells[i] ?? '')

function renderPage(promises: readonly BenchRow[], results: ReadonlyMap<string, BenchResults>): string {
  const reached = promises.map((row) => [...padCells(toCells(row)), isReached(row) ? 'reached' : '**not reached**'])
  const parts = [...results].map(([bench, { machine, rows }]) => {
    const lines = rows.map((row) => [...padCells(toCells(row)), row.measuredAt])
    return `## ${bench}\n\n\`npm run bench ${bench}\`, last on ${machine}.\n\n${renderTable([...COLUMNS, 'measured'], lines)}\n`
  })
  return `# Figures

Written by \`npm run bench -- --record\`; do not edit. A speed is a ratio to a reference measured in the same run, work and reference
by turns: medians (of cold starts the least), and in brackets the lowest and highest ratio of a round. Requests and capacity units
are counted, and exact. All on the embedded cloud, in a process of its own. A row stays until it is measured again;
\`measured\` says when that was.

## What is promised

![Ratios beside what is promised](figures.svg)

${renderTable([...COLUMNS, ''], reached)}

${parts.join('\n')}`
}

const ROW = 22
const LEFT = 300
const WIDTH = 420
const SCALE = 2

function renderChart(promises: readonly BenchRow[]): string {
  const height = promises.length * ROW + 40
  const mark = LEFT + WIDTH / SCALE
  const bars = promises.map((row, i) => {
    const used = row.atLeast ? row.reach / computeRatio(row) : computeRatio(row) / row.reach
    const length = Math.max(2, (Math.min(used, SCALE) * WIDTH) / SCALE)
    const y = 30 + i * ROW
    return `<text x="${LEFT - 10}" y="${y + 13}" text-anchor="end">${escapeXml(row.what)}</text>
<rect x="${LEFT}" y="${y + 3}" width="${length.toFixed(1)}" height="${ROW - 8}" fill="${isReached(row) ? '#2f7d4f' : '#b3541e'}"/>
<text x="${(LEFT + length + 6).toFixed(1)}" y="${y + 13}" class="value">${computeRatio(row).toPrecision(3)} of ${row.reach}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 110} ${height}" role="img" aria-label="Ratios beside what is promised">
<style>text{font:12px system-ui,sans-serif;fill:#24292f}.value{fill:#57606a}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.value{fill:#9198a1}}</style>
<text x="${mark}" y="16" text-anchor="middle" class="value">promised</text>
${bars.join('\n')}
<line x1="${mark}" y1="22" x2="${mark}" y2="${height - 6}" stroke="#57606a" stroke-dasharray="3 3"/>
</svg>
`
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
