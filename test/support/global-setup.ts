/**
 * Starts the embedded cloud once for all tests, on free ports and a data folder of its own. After the last test nothing that
 * lets anybody in may be found in what it kept and logged: what is found is said, and fails the run.
 */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bodyLimit } from '../../localstack/body-limits.ts'
import { type Cloud, startCloud } from '../../localstack/cloud/server.ts'
import './api.ts'
import { filesBelow, LETS_IN, tableOf } from './lets-in.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wharf-test-'))
  const logs = join(dataDir, 'platform.log')
  const endLogs = process.env.LOG_LEVEL === undefined ? keepLogs(logs) : () => {}
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true'
  const cloud = await startCloud({ dataDir, cloudPort: 0, apiPort: 0, bodyLimit })
  await cloud.loaded
  project.provide('server', { baseUrl: `${cloud.apiUrl}/api`, cloud: cloud.endpoint, environment: cloud.environment })
  project.provide('scratch', dataDir)
  return async () => {
    endLogs()
    const found = await keptAsItIs(cloud, dataDir, logs)
    await cloud.close()
    rmSync(dataDir, { recursive: true, force: true })
    if (found.length === 0) return
    console.error(`What lets somebody in is kept as it is:\n${found.slice(0, 20).join('\n')}`)
    process.exitCode = 1
  }
}

/** Has the platform log all it can, to a file. */
function keepLogs(path: string): () => void {
  process.env.LOG_LEVEL = 'DEBUG'
  writeFileSync(path, '')
  const streams = [process.stdout, process.stderr]
  const undo = streams.map((stream) => {
    const write = stream.write.bind(stream) as (chunk: unknown, ...more: unknown[]) => boolean
    stream.write = (chunk: unknown, ...more: unknown[]) => {
      if (!String(chunk).startsWith('{"level":')) return write(chunk, ...more)
      appendFileSync(path, String(chunk))
      return true
    }
    return () => {
      stream.write = write as typeof stream.write
    }
  })
  return () => {
    for (const one of undo) one()
  }
}

/** Where each was found, with some of what stands before it: the value itself is nobody's to read. */
async function keptAsItIs(cloud: Cloud, dataDir: string, logs: string): Promise<string[]> {
  const found: string[] = []
  const look = (where: string, text: string): void => {
    for (const { index, 0: value } of text.matchAll(LETS_IN))
      found.push(`${where}: ...${text.slice(Math.max(0, index - 200), index)}${value.slice(0, 9)}...`)
  }
  for await (const page of tableOf(cloud.environment)) look('table', page)
  for (const file of filesBelow(join(dataDir, 's3'))) look('bucket', file)
  for (const file of filesBelow(logs)) look('logs', file)
  return found
}
