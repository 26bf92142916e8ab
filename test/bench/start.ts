/** What stands before the first answer: `npm start`, and in Lambda the import of a domain's bundle beside the SDK's client alone. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { readStack } from '../../localstack/cloud/stack.ts'
import { type Bundle, buildFunctions } from '../../scripts/build.ts'
import type { BenchRow } from './row.ts'
import { withPlatform } from './started.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const ROUNDS = 25
const MEASURED = 4
/** A function's package as Lambda loads it, compressed. */
const PACKED_KB = 300
const STARTED_MS = 5000

/** About a minute on an idle machine. */
export async function bench(): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  try {
    const built = await buildFunctions(ROOT, join(directory, 'dist'))
    const awaited = built.filter(({ key }) => answers(key))
    return [await coldStart(directory, awaited), largest(awaited), await firstAnswer()]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Of a domain, whose answer somebody waits for: jobs, what follows from events, and paths no domain has may start slower. */
function answers(key: string): boolean {
  const found = readStack({ root: ROOT }).functions.find((one) => one.key === key)
  return found?.routeKeys.some((route) => route !== '$default') ?? false
}

/**
 * The slowest of the domains' bundles: each is tried, and those that take longest are measured. The least time of the rounds stands:
 * an import does the same each time, and what else the machine does only adds to it, more to the larger file.
 */
async function coldStart(directory: string, bundles: readonly Bundle[]): Promise<BenchRow> {
  const client = join(directory, 'client.mjs')
  await build({
    stdin: { contents: "export { DynamoDBClient } from '@aws-sdk/client-dynamodb'", resolveDir: ROOT },
    ...{ outfile: client, bundle: true, minify: true, platform: 'node', target: 'node20', format: 'esm' },
    mainFields: ['module', 'main'],
  })
  const times = new Map<Bundle, number>()
  for (const bundle of bundles) {
    const path = join(directory, 'dist', bundle.entry)
    times.set(bundle, Math.min(await importTime(path), await importTime(path)))
  }
  const tried = bundles.toSorted((a, b) => times.get(b)! - times.get(a)!).slice(0, MEASURED)
  const theirs: number[] = []
  const ours = tried.map((): number[] => [])
  // All in each round: a machine that is slow for some seconds is so for all.
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(await importTime(client))
    for (const [i, { entry }] of tried.entries()) ours[i]!.push(await importTime(join(directory, 'dist', entry)))
  }
  const slowest = ours.toSorted((one, other) => Math.min(...other) - Math.min(...one))[0]!
  const ratios = slowest.map((time, round) => time / theirs[round]!)
  return {
    what: 'cold start: import of the slowest bundle',
    value: Math.min(...slowest),
    reference: "import of the SDK's DynamoDB client",
    referenceValue: Math.min(...theirs),
    reach: 2.5,
    spread: [Math.min(...ratios), Math.max(...ratios)],
  }
}

/** In a process of its own, as a cold start is. */
async function importTime(module: string): Promise<number> {
  const program = 'const t = performance.now(); await import(process.argv[1]); console.log(performance.now() - t)'
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, module], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await once(child, 'close')
  return Number(text)
}

const largest = (bundles: readonly Bundle[]): BenchRow => ({
  what: 'largest bundle at a cold start, compressed',
  value: Math.max(...bundles.map(({ startPackedBytes }) => startPackedBytes)) / 1024,
  unit: 'KB',
  reference: 'limit',
  referenceValue: PACKED_KB,
  reach: 1,
})

/** From `npm start` on an empty directory to the answer to a first request. */
async function firstAnswer(): Promise<BenchRow> {
  const begin = performance.now()
  const took = await withPlatform(async ({ baseUrl, environments }) => {
    const headers = { authorization: `Bearer ${environments[0]!.secretKey}` }
    await (await fetch(`${baseUrl}/v1/spaces`, { headers })).arrayBuffer()
    return performance.now() - begin
  }, 'tsx')
  const what = 'start of the whole platform to its first answer'
  return { what, value: took, reference: 'limit', referenceValue: STARTED_MS, reach: 1 }
}
