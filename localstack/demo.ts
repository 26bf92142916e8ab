/**
 * `npm run demo`: a real import from the first byte to the agent's correction, through the HTTP API. Starts the embedded
 * cloud when none runs on this data folder, and leaves no process behind.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import color from 'picocolors'
import { importFile } from './demo/import.ts'
import { report } from './demo/report.ts'
import { run } from './run.ts'
import type { Local } from './seed.ts'

const file = fileURLToPath(new URL('../node_modules/vega-datasets/data/airports.csv', import.meta.url))

/** The cloud that already runs on this data folder. */
async function running(): Promise<Local | undefined> {
  const path = resolve(process.env.DATA_DIR ?? '.data', 'local.json')
  if (!existsSync(path)) return undefined
  const local = JSON.parse(readFileSync(path, 'utf8')) as Local
  const answer = await fetch(`${local.baseUrl}/v1/accounts/current`, {
    headers: { authorization: `Bearer ${local.environments[0]!.secretKey}` },
  }).catch(() => undefined)
  return answer?.ok ? local : undefined
}

const already = await running()
const started = already ? undefined : await run({ keepRunning: false })
const local = already ?? started!.local
console.log(
  color.bold(`\nWharf imports ${basename(file)}`),
  color.dim(
    already ? `into the cloud at ${local.baseUrl}` : `on an embedded cloud started for this at ${local.baseUrl}`,
  ),
  '\n',
)
try {
  const result = await importFile(local, file)
  console.log(report(local, result, already !== undefined))
} finally {
  await started?.cloud.close()
}
