/** Startup time: `npm start`, and the import of a Lambda bundle compared with the SDK's DynamoDB client. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { readStack } from '../packages/local-cloud/src/stack.ts'
import { type Bundle, buildFunctions } from '../scripts/build.ts'
import type { BenchRow } from './row.ts'
import { withPlatform } from './start-server.ts'

const ROOT = resolve(import.meta.dirname, '..')
const ROUNDS = 25
const MEASURED = 4
const PACKED_KB = 300
const STARTED_MS = 5000

export async function bench(): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  try {
    const built = await buildFunctions(ROOT, join(directory, 'dist'))
    const awaited = built.filter(({ key }) => servesRoutes(key))
    return [await measureColdStart(directory, awaited), measureLargestBundle(awaited), await measureFirstResponse()]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function servesRoutes(key: string): boolean {
  const deployedFunction = readStack({ root: ROOT }).functions.find((one) => one.key === key)
  return deployedFunction?.routeKeys.some((route) => route !== '$default') ?? false
}

/** The minimum counts: an import always does the same work, and other load only adds to it. */
async function measureColdStart(directory: string, bundles: readonly Bundle[]): Promise<BenchRow> {
  const client = join(directory, 'client.mjs')
  await build({
    stdin: { contents: "export { DynamoDBClient } from '@aws-sdk/client-dynamodb'", resolveDir: ROOT },
    ...{ outfile: client, bundle: true, minify: true, platform: 'node', target: 'node20', format: 'esm' },
    mainFields: ['module', 'main'],
  })
  const times = new Map<Bundle, number>()
  for (const bundle of bundles) {
    const path = join(directory, 'dist', bundle.entry)
    times.set(bundle, Math.min(await measureImport(path), await measureImport(path)))
  }
  const slowestBundles = bundles.toSorted((a, b) => times.get(b)! - times.get(a)!).slice(0, MEASURED)
  const theirs: number[] = []
  const ours = slowestBundles.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(await measureImport(client))
    for (const [i, { entry }] of slowestBundles.entries())
      ours[i]!.push(await measureImport(join(directory, 'dist', entry)))
  }
  const slowest = ours.toSorted((one, other) => Math.min(...other) - Math.min(...one))[0]!
  const ratios = slowest.map((time, round) => time / theirs[round]!)
  return {
    what: 'cold start: import of the slowest bundle',
    value: Math.min(...slowest),
    reference: "import of the SDK's DynamoDB client",
    referenceValue: Math.min(...theirs),
    target: 2.5,
    spread: [Math.min(...ratios), Math.max(...ratios)],
  }
}

async function measureImport(module: string): Promise<number> {
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

const measureLargestBundle = (bundles: readonly Bundle[]): BenchRow => ({
  what: 'largest bundle at a cold start, compressed',
  value: Math.max(...bundles.map(({ startPackedBytes }) => startPackedBytes)) / 1024,
  unit: 'KB',
  reference: 'limit',
  referenceValue: PACKED_KB,
  target: 1,
})

async function measureFirstResponse(): Promise<BenchRow> {
  const begin = performance.now()
  const elapsed = await withPlatform(async ({ baseUrl, environments }) => {
    const headers = { authorization: `Bearer ${environments[0]!.secretKey}` }
    await (await fetch(`${baseUrl}/v1/spaces`, { headers })).arrayBuffer()
    return performance.now() - begin
  })
  const what = 'platform start to the first response'
  return { what, value: elapsed, reference: 'limit', referenceValue: STARTED_MS, target: 1 }
}
