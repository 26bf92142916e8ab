/** `npm run check` does not check the types of these tests, because the packages they import are not installed then. */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

it('has no type errors', { timeout: 180_000 }, () => {
  const tsc = resolve('node_modules/typescript/bin/tsc')
  expect(execFileSync(process.execPath, [tsc, '--noEmit', '-p', import.meta.dirname], { encoding: 'utf8' })).toBe('')
})
