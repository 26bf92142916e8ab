/** Builds the deployable functions into dist/ once per run, because it takes a minute. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inject } from 'vitest'
import { type Bundle, buildFunctions } from '../../scripts/build.ts'
import { waitUntil } from './api.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const TIMEOUT_SECONDS = 280

type Outcome = { bundles: Bundle[] } | { error: string }

export async function buildFunctionsOnce(): Promise<Bundle[]> {
  const folder = join(inject('scratch'), 'built')
  const outcome = claimBuild(folder)
    ? await build(folder)
    : await waitUntil(async () => readOutcome(folder), TIMEOUT_SECONDS)
  if ('error' in outcome) throw new Error(outcome.error)
  return outcome.bundles
}

function claimBuild(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

async function build(folder: string): Promise<Outcome> {
  const outcome: Outcome = await buildFunctions(ROOT).then(
    (bundles) => ({ bundles }),
    (error: Error) => ({ error: error.message }),
  )
  writeFileSync(join(folder, 'part.json'), JSON.stringify(outcome))
  renameSync(join(folder, 'part.json'), join(folder, 'outcome.json'))
  return outcome
}

function readOutcome(folder: string): Outcome | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'outcome.json'), 'utf8'))
  } catch {
    return undefined
  }
}
