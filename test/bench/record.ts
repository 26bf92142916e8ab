/**
 * What `npm run bench -- --record` keeps: each bench's rows as data, and the page and the picture made of all that is kept.
 * A run of some benches, or of other sizes, replaces only its own rows.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { HEAD, isReached, lineOf, ratioOf } from './line.ts'
import { PROMISES } from './promises.ts'
import type { BenchRow } from './row.ts'

const DOCS = resolve(import.meta.dirname, '../../docs')
const FIGURES = resolve(DOCS, 'figures')

interface Recorded {
  /** Of the newest run. */
  machine: string
  rows: (BenchRow & { measuredAt: string })[]
}

const fileOf = (bench: string): string => resolve(FIGURES, `${bench}.json`)

const recorded = (bench: string): Recorded | undefined =>
  existsSync(fileOf(bench)) ? (JSON.parse(readFileSync(fileOf(bench), 'utf8')) as Recorded) : undefined

const nameOf = ({ what, rows, reference }: BenchRow): string => `${what} ${rows ?? ''} ${reference}`

/** Keeps the rows of a bench. */
export function record(bench: string, rows: readonly BenchRow[]): void {
  mkdirSync(FIGURES, { recursive: true })
  const measuredAt = new Date().toISOString().slice(0, 10)
  const found = new Map((recorded(bench)?.rows ?? []).map((row) => [nameOf(row), row]))
  for (const row of rows) found.set(nameOf(row), { ...row, measuredAt })
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
  const kept: Recorded = { machine, rows: [...found.values()].sort((a, b) => (a.rows ?? 0) - (b.rows ?? 0)) }
  writeFileSync(fileOf(bench), `${JSON.stringify(kept, null, 1)}\n`)
}

/** Writes docs/figures.md and docs/figures.svg from all that is kept. */
export function writeFigures(): void {
  // Beside them stand the results of other runs, which have no rows.
  const benches = readdirSync(FIGURES)
    .map((file) => file.replace(/\.json$/, ''))
    .filter((bench) => recorded(bench)?.rows)
  const kept = new Map(benches.map((bench) => [bench, recorded(bench)!]))
  const promises = PROMISES.flatMap(({ promise, bench, what, rows }) => {
    const row = kept.get(bench)?.rows.find((one) => one.what === what && one.rows === rows)
    return row ? [{ ...row, what: promise }] : []
  })
  writeFileSync(resolve(DOCS, 'figures.md'), page(promises, kept))
  writeFileSync(resolve(DOCS, 'figures.svg'), picture(promises))
}

const table = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const padded = (cells: readonly string[]): string[] => HEAD.map((_, i) => cells[i] ?? '')

function page(promises: readonly BenchRow[], kept: ReadonlyMap<string, Recorded>): string {
  const reached = promises.map((row) => [...padded(lineOf(row)), isReached(row) ? 'reached' : '**not reached**'])
  const parts = [...kept].map(([bench, { machine, rows }]) => {
    const lines = rows.map((row) => [...padded(lineOf(row)), row.measuredAt])
    return `## ${bench}\n\n\`npm run bench ${bench}\`, last on ${machine}.\n\n${table([...HEAD, 'measured'], lines)}\n`
  })
  return `# Figures

Written by \`npm run bench -- --record\`; do not edit. A speed is a ratio to a reference measured in the same run, work and reference
by turns: medians (of cold starts the least), and in brackets the lowest and highest ratio of a round. Requests and capacity units
are counted, and exact. All on the embedded cloud, in a process of its own. A row stays until it is measured again;
\`measured\` says when that was.

## What is promised

![Ratios beside what is promised](figures.svg)

${table([...HEAD, ''], reached)}

${parts.join('\n')}`
}

const ROW = 22
const LEFT = 300
const WIDTH = 420
/** The bars end at twice what is promised. */
const SCALE = 2

/** A bar for each promise: how much of it is used up. */
function picture(promises: readonly BenchRow[]): string {
  const height = promises.length * ROW + 40
  const mark = LEFT + WIDTH / SCALE
  const bars = promises.map((row, i) => {
    const used = row.atLeast ? row.reach / ratioOf(row) : ratioOf(row) / row.reach
    const length = Math.max(2, (Math.min(used, SCALE) * WIDTH) / SCALE)
    const y = 30 + i * ROW
    return `<text x="${LEFT - 10}" y="${y + 13}" text-anchor="end">${escaped(row.what)}</text>
<rect x="${LEFT}" y="${y + 3}" width="${length.toFixed(1)}" height="${ROW - 8}" fill="${isReached(row) ? '#2f7d4f' : '#b3541e'}"/>
<text x="${(LEFT + length + 6).toFixed(1)}" y="${y + 13}" class="value">${ratioOf(row).toPrecision(3)} of ${row.reach}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 110} ${height}" role="img" aria-label="Ratios beside what is promised">
<style>text{font:12px system-ui,sans-serif;fill:#24292f}.value{fill:#57606a}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.value{fill:#9198a1}}</style>
<text x="${mark}" y="16" text-anchor="middle" class="value">promised</text>
${bars.join('\n')}
<line x1="${mark}" y1="22" x2="${mark}" y2="${height - 6}" stroke="#57606a" stroke-dasharray="3 3"/>
</svg>
`
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
