/** `npm run demo`: a real import through the HTTP API, on a running cloud or one started for the demo. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import color from 'picocolors'
import { run } from '../../localstack/run.ts'
import type { Local } from '../../localstack/seed.ts'
import { importFiles } from './import.ts'
import { formatReport } from './report.ts'

const DATA = new URL('../../node_modules/vega-datasets/data/', import.meta.url)
const file = fileURLToPath(new URL('airports.csv', DATA))
const messyFile = fileURLToPath(new URL('movies.json', DATA))

async function findRunningCloud(): Promise<Local | undefined> {
  const path = resolve(process.env.DATA_DIR ?? '.data', 'local.json')
  if (!existsSync(path)) return undefined
  const local = JSON.parse(readFileSync(path, 'utf8')) as Local
  const response = await fetch(`${local.baseUrl}/v1/accounts/current`, {
    headers: { authorization: `Bearer ${local.environments[0]!.secretKey}` },
  }).catch(() => undefined)
  return response?.ok ? local : undefined
}

const runningCloud = await findRunningCloud()
const startedCloud = runningCloud ? undefined : await run({ keepRunning: false })
const local = runningCloud ?? startedCloud!.local
console.log(
  color.bold(`\nWharf imports ${basename(file)} and ${basename(messyFile)}`),
  color.dim(
    runningCloud
      ? `into the cloud at ${local.baseUrl}`
      : `into an embedded cloud started for this demo at ${local.baseUrl}`,
  ),
  '\n',
)
try {
  const result = await importFiles(local, file, messyFile)
  console.log(formatReport(local, result, runningCloud !== undefined))
} finally {
  await startedCloud?.cloud.close()
}
