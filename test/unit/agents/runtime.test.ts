import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { unzipSync } from 'fflate'
import { afterAll, expect, it } from 'vitest'
import { type Bundle, buildPackage } from '../../../lib/agents/package.ts'
import type { handler } from '../../../lib/agents/runtime/index.ts'
import { REPORT_MARK } from '../../../lib/agents/runtime/report.ts'

const root = resolve(fileURLToPath(import.meta.url), '../../../..')
const GENERATED = resolve(root, 'lib/agents/runtime.generated.ts')

async function buildGenerated(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['lib/agents/runtime/index.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'error',
  })
  const lines = outputFiles[0]!.text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${JSON.stringify(line)},`)
  return [
    '/** The folder runtime/ bundled into one module, as text. Written by test/unit/agents/runtime.test.ts (`vitest run -u`). */',
    '// biome-ignore-all format: generated',
    '// biome-ignore-all lint: generated',
    'export const RUNTIME = [',
    ...lines,
    "].join('\\n')",
    '',
  ].join('\n')
}

it('packages agents with the current runtime sources (npx vitest run -u updates it)', async () => {
  await expect(await buildGenerated()).toMatchFileSnapshot(GENERATED)
})

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

type CallResult = { report: Awaited<ReturnType<typeof handler>> } & { error: string; trace: string[] }

function runAgent(bundle: Bundle, calls: { event: unknown; remainingMs: number }[]): CallResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-agent-'))
  folders.push(folder)
  for (const [name, bytes] of Object.entries(unzipSync(buildPackage(bundle).zip)))
    writeFileSync(join(folder, name), bytes)
  const script = `
    import { writeFileSync } from 'node:fs'
    import { handler } from './index.mjs'
    const results = []
    for (const { event, remainingMs } of ${JSON.stringify(calls)}) {
      const context = { getRemainingTimeInMillis: () => remainingMs }
      await handler({ detail: event }, context).then(
        (report) => results.push({ report }),
        ({ name, message, stack }) => results.push({ error: name + ': ' + message, trace: stack.split('\\n') }),
      )
    }
    writeFileSync('results.json', JSON.stringify(results))
    process.exit()`
  writeFileSync(join(folder, 'run.mjs'), script)
  execFileSync(process.execPath, ['run.mjs'], { cwd: folder, stdio: 'ignore' })
  return JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'))
}
const parseReport = (trace: string[]) => JSON.parse(trace.at(-1)!.slice(REPORT_MARK.length))

it('ends a run before the timeout, so that its log is stored, and starts the next one from scratch', () => {
  const source = `let calls = 0
    exports.routeEvent = ({ wait }) => { console.log('call', ++calls); return wait && new Promise(() => {}) }`
  const [late, next] = runAgent({ source }, [
    { event: { wait: true }, remainingMs: 1_050 },
    { event: { wait: false }, remainingMs: 10_000 },
  ])
  expect(late!.error).toBe('Error: The agent did not finish before its function timed out.')
  expect(parseReport(late!.trace)).toMatchObject({
    success: false,
    log: expect.stringMatching(/INFO call 1\n.* ERROR Error: The agent did not/),
  })
  expect(next!.report).toMatchObject({ success: true, log: expect.stringMatching(/INFO call 1$/) })
})

it('leaves less room for the log the larger the event is, because they share one record', () => {
  const source = `exports.routeEvent = () => { for (let i = 0; i < 3000; i++) console.log('x'.repeat(50)) }`
  const [small, large] = runAgent({ source }, [
    { event: {}, remainingMs: 60_000 },
    { event: { text: 'x'.repeat(235_000) }, remainingMs: 60_000 },
  ])
  expect(small!.report.log.length).toBeGreaterThan(60_000)
  expect(large!.report.log.length).toBeLessThan(11_000)
})

it('fails a run whose bundle cannot be loaded, with a message', () => {
  const [run] = runAgent({ source: `require('no-such-module')` }, [{ event: {}, remainingMs: 10_000 }])
  expect(run!.error).toContain("Cannot find module 'no-such-module'")
})

it('creates equal packages from equal bundles, and rejects code that does not compile', () => {
  expect(buildPackage({ source: '1', sourceMap: '{}' })).toEqual(buildPackage({ source: '1', sourceMap: '{}' }))
  expect(buildPackage({ source: '1' }).sha256).not.toBe(buildPackage({ source: '2' }).sha256)
  expect(buildPackage({ source: '#!/usr/bin/env node\nexports.a = 1' }).zip.length).toBeGreaterThan(0)
  expect(() => buildPackage({ source: 'import x from "y"' })).toThrow(/must be a CommonJS module/)
  expect(() => buildPackage({ source: '}) ; process.exit(); ({' })).toThrow(/must be a CommonJS module/)
})

it.each([
  [503, 'Error: The records of the event were not read or written: PUT /v1/records?part=1&for=us_evt_1: status 503'],
  [404, undefined],
  [200, undefined],
])('with status %d for a write of the records of its event, the run fails: %s', (status, error) => {
  const source = `const http = require('node:http')
    exports.routeEvent = async () => {
      const server = http.createServer((request, response) => response.writeHead(${status}).end()).listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      const url = 'http://127.0.0.1:' + server.address().port + '/v1/records?part=1&for=us_evt_1'
      await fetch(url, { method: 'PUT', body: '[]' })
      await new Promise((resolve) => http.get(url.replace('us_evt_1', 'us_evt_12'), (response) => response.resume().on('end', resolve)))
      server.close()
    }`
  const [result] = runAgent({ source }, [{ event: { id: 'us_evt_1' }, remainingMs: 60_000 }])
  expect(result!.error).toBe(error)
})
