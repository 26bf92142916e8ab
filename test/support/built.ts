/** The functions as they are deployed, built once a run into dist/ however many test files need them: it takes a minute. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inject } from 'vitest'
import { type Bundle, buildFunctions } from '../../scripts/build.ts'
import { until } from './api.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** Seconds. */
const PATIENCE = 280

type Outcome = { bundles: Bundle[] } | { error: string }

/** @returns what was built, by whichever test file came first */
export async function builtFunctions(): Promise<Bundle[]> {
  const folder = join(inject('scratch'), 'built')
  const outcome = isFirst(folder) ? await build(folder) : await until(async () => outcomeIn(folder), PATIENCE)
  if ('error' in outcome) throw new Error(outcome.error)
  return outcome.bundles
}

function isFirst(folder: string): boolean {
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

function outcomeIn(folder: string): Outcome | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'outcome.json'), 'utf8'))
  } catch {
    return undefined
  }
}
