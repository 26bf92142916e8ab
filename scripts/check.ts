/** `npm run check [-- name ...]`: runs all checks or the named ones, and exits with 1 if one of them fails. */
import { spawnSync } from 'node:child_process'

const CODE = ['schemas', 'lib', 'functions', 'localstack', 'packages', 'examples', 'scripts', 'bench', 'test', 'web']
const CHECKS: Record<string, string[][]> = {
  lint: [['biome', 'check', '.']],
  types: [
    ['tsc', '--noEmit'],
    ['tsc', '--noEmit', '-p', 'web'],
  ],
  layers: [['depcruise', ...CODE]],
  dead: [['knip']],
  language: [['node', '--import', 'tsx', 'scripts/check-language.ts']],
}

function run(name: string): boolean {
  console.log(`\n${name}`)
  return CHECKS[name]!.every(([file, ...args]) => spawnSync(file!, args, { stdio: 'inherit' }).status === 0)
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !CHECKS[name])
if (unknown.length > 0) throw new Error(`There is no check ${unknown.join(', ')}: ${Object.keys(CHECKS).join(', ')}`)
const failed = (names.length > 0 ? names : Object.keys(CHECKS)).filter((name) => !run(name))
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`)
  process.exitCode = 1
}
