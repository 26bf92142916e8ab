/**
 * Starts the embedded cloud once for all tests. After the last test, fails the run if stored data or logs contain a
 * credential.
 */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findBodyLimit } from '../../localstack/body-limits.ts'
import { type Cloud, startCloud } from '../../localstack/cloud/server.ts'
import './api.ts'
import { readFilesBelow, SECRET_PATTERN, scanTable } from './secret-patterns.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wharf-test-'))
  const logs = join(dataDir, 'platform.log')
  const endLogs = process.env.LOG_LEVEL === undefined ? captureLogs(logs) : () => {}
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true'
  const cloud = await startCloud({ dataDir, cloudPort: 0, apiPort: 0, bodyLimit: findBodyLimit })
  await cloud.loaded
  project.provide('server', { baseUrl: `${cloud.apiUrl}/api`, cloud: cloud.endpoint, environment: cloud.environment })
  project.provide('scratch', dataDir)
  return async () => {
    endLogs()
    const found = await findStoredSecrets(cloud, dataDir, logs)
    await cloud.close()
    rmSync(dataDir, { recursive: true, force: true })
    if (found.length === 0) return
    console.error(`Credentials are stored in plain text:\n${found.slice(0, 20).join('\n')}`)
    process.exitCode = 1
  }
}

function captureLogs(path: string): () => void {
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

async function findStoredSecrets(cloud: Cloud, dataDir: string, logs: string): Promise<string[]> {
  const found: string[] = []
  const scan = (where: string, text: string): void => {
    for (const { index, 0: value } of text.matchAll(SECRET_PATTERN))
      found.push(`${where}: ...${text.slice(Math.max(0, index - 200), index)}${value.slice(0, 9)}...`)
  }
  for await (const page of scanTable(cloud.environment)) scan('table', page)
  for (const file of readFilesBelow(join(dataDir, 's3'))) scan('bucket', file)
  for (const file of readFilesBelow(logs)) scan('logs', file)
  return found
}
