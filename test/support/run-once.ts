/** Shares expensive work, such as a build, between the workers of a run. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { waitUntil } from './api.ts'

const TIMEOUT_SECONDS = 280

type Outcome<T> = { result: T } | { error: string }

/** The first worker runs `work`, and the others wait for its result, which is passed as JSON. `folder` stays until the end of the run. */
export async function runOnce<T>(name: string, work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = join(inject('scratch'), name)
  const outcome = claim(folder)
    ? await run(folder, work)
    : await waitUntil(async () => readOutcome<T>(folder), TIMEOUT_SECONDS)
  if ('error' in outcome) throw new Error(outcome.error)
  return outcome.result
}

function claim(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

async function run<T>(folder: string, work: (folder: string) => T | Promise<T>): Promise<Outcome<T>> {
  const outcome: Outcome<T> = await (async () => work(folder))().then(
    (result) => ({ result }),
    (error: Error) => ({ error: error.message }),
  )
  writeFileSync(join(folder, 'part.json'), JSON.stringify(outcome))
  renameSync(join(folder, 'part.json'), join(folder, 'outcome.json'))
  return outcome
}

function readOutcome<T>(folder: string): Outcome<T> | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'outcome.json'), 'utf8'))
  } catch {
    return undefined
  }
}
