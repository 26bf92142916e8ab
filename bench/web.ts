/** Benchmarks the web application in headless Chromium: load, scrolling a million rows, and confirming edits. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { CLOUD_OPTIONS } from '../localstack/cloud-options.ts'
import { seed } from '../localstack/seed.ts'
import { createLazyBuild } from '../localstack/web-build.ts'
import { startCloud } from '../packages/local-cloud/src/server.ts'
import { type BenchRow, median } from './row.ts'

const ROWS = Number(process.env.WEB_ROWS ?? 1_000_000)
const ROWS_PER_REQUEST = 50_000
const FIRST_LOAD_KB = 120
const INTERACTIVE_MS = 1500
const CPU_SLOWDOWN = 4
const FRAME_MS = 17
const CONFIRM_MS = 300
const EDITS = 20
const SCROLLED_MB = 50

export async function bench(): Promise<BenchRow[]> {
  process.env.LOG_LEVEL ??= 'CRITICAL'
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true'
  const dataDir = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  const web = createLazyBuild()
  const cloud = await startCloud({ ...CLOUD_OPTIONS, dataDir, cloudPort: 0, apiPort: 0, web })
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
  })
  try {
    const local = await seed(dataDir, { baseUrl: `${cloud.apiUrl}/api`, cloud })
    await Promise.all([cloud.loaded, web.ready()])
    const key = local.environments[0]!.secretKey
    const rows = [measureFirstLoad(), await measureInteractive(browser, cloud.apiUrl)]
    const sheet = await createLargeSheet(local.baseUrl, key)
    return [...rows, ...(await measureScrolling(browser, cloud.apiUrl, key, sheet))]
  } finally {
    await browser.close()
    await cloud.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function measureFirstLoad(): BenchRow {
  const dist = resolve('web/dist')
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const linked = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, name]) => name!)
  const queue = [
    ...linked,
    ...readdirSync(join(dist, 'assets'))
      .filter((name) => /^en-/.test(name))
      .map((name) => `assets/${name}`),
  ]
  const visited = new Set<string>()
  for (let name = queue.shift(); name; name = queue.shift()) {
    if (visited.has(name)) continue
    visited.add(name)
    const text = readFileSync(join(dist, name), 'utf8')
    for (const [, path] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) queue.push(`assets/${path}`)
  }
  const bytes = [...visited].reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(dist, name))).length,
    gzipSync(page).length,
  )
  return {
    what: 'first load of the web application, compressed',
    value: bytes / 1024,
    unit: 'KB',
    reference: 'limit',
    referenceValue: FIRST_LOAD_KB,
    target: 1,
  }
}

async function measureInteractive(browser: Browser, url: string): Promise<BenchRow> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const context = await browser.newContext({ locale: 'en-GB' })
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    const begin = performance.now()
    await page.goto(`${url}/sign-in`, { waitUntil: 'commit' })
    await page.getByLabel('Email address').fill('ada@example.com')
    times.push(performance.now() - begin)
    await context.close()
  }
  return {
    what: `sign-in page usable, processor ${CPU_SLOWDOWN} times slower`,
    value: median(times),
    reference: 'limit',
    referenceValue: INTERACTIVE_MS,
    target: 1,
  }
}

interface Sheet {
  spaceId: string
  sheetId: string
}

async function createLargeSheet(baseUrl: string, key: string): Promise<Sheet> {
  const call = async (path: string, body: string, type = 'application/json') => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      body,
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { data: { id: string; sheets: { id: string }[] } }
  }
  const { data: space } = await call('/v1/spaces', JSON.stringify({ name: 'A million' }))
  const types = ['string', 'string', 'number', 'string', 'number', 'string', 'string', 'boolean']
  const fields = types.map((type, at) => ({ key: `f${at}`, label: `Field ${at}`, type }))
  const config = { spaceId: space.id, name: 'Large', sheets: [{ name: 'Rows', slug: 'rows', fields }] }
  const { data: workbook } = await call('/v1/workbooks', JSON.stringify(config))
  const sheetId = workbook.sheets[0]!.id
  for (let from = 0; from < ROWS; from += ROWS_PER_REQUEST) {
    const lines = Array.from({ length: Math.min(ROWS_PER_REQUEST, ROWS - from) }, (_, at) => {
      const row = from + at
      const cells = types.map((type, field) => {
        if (type === 'number') return row % 97 === 0 ? 'many' : row + field
        return type === 'boolean' ? row % 2 === 0 : `text ${row} ${field}`
      })
      return JSON.stringify(Object.fromEntries(cells.map((cell, field) => [`f${field}`, cell])))
    })
    await call(`/v2-alpha/records.jsonl?sheetId=${sheetId}`, lines.join('\n'), 'application/jsonl')
  }
  return { spaceId: space.id, sheetId }
}

const measureHeapMB = async (devtools: CDPSession): Promise<number> => {
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = (await devtools.send('Runtime.getHeapUsage')) as { usedSize: number }
  return usedSize / 2 ** 20
}

async function measureScrolling(
  browser: Browser,
  url: string,
  key: string,
  { spaceId, sheetId }: Sheet,
): Promise<BenchRow[]> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  const page = await context.newPage()
  const session = JSON.stringify({ token: key, kind: 'user', expiresAt: Date.now() + 3_600_000 })
  await page.addInitScript(`sessionStorage.setItem('wharf.session', ${JSON.stringify(session)})`)
  await page.goto(`/s/${spaceId}/sheets/${sheetId}`)
  await waitForCell(page, 'text 0')
  const devtools = await context.newCDPSession(page)
  const before = await measureHeapMB(devtools)
  const frames = await measureFrames(page)
  const after = await measureHeapMB(devtools)
  const edits = await measureEdits(page)
  const sorted = frames.toSorted((a, b) => a - b)
  const p95 = sorted[Math.floor(sorted.length * 0.95)]!
  return [
    {
      what: 'frame while scrolling, 95th of 100',
      rows: ROWS,
      value: p95,
      reference: 'limit',
      referenceValue: FRAME_MS,
      target: 1,
    },
    {
      what: 'memory growth from scrolling through the sheet',
      rows: ROWS,
      value: Math.max(0, after - before),
      unit: 'MB',
      reference: 'limit',
      referenceValue: SCROLLED_MB,
      target: 1,
    },
    {
      what: 'cell edit until confirmed',
      rows: ROWS,
      value: median(edits),
      reference: 'limit',
      referenceValue: CONFIRM_MS,
      target: 1,
      spread: [Math.min(...edits) / CONFIRM_MS, Math.max(...edits) / CONFIRM_MS],
    },
  ]
}

async function waitForCell(page: Page, text: string): Promise<void> {
  const first = "document.querySelector('[role=gridcell]')?.textContent ?? ''"
  while (!((await page.evaluate(first)) as string).startsWith(text)) await page.waitForTimeout(20)
}

const measureFrames = (page: Page): Promise<number[]> =>
  page.evaluate(`new Promise((resolve) => {
    const scroller = document.querySelector('.dvn-scroller')
    const frames = []
    let last = performance.now()
    let count = 0
    const step = (now) => {
      frames.push(now - last)
      last = now
      count += 1
      if (count <= 300) scroller.scrollTop += 90
      else if (count <= 600) scroller.scrollTop = (scroller.scrollHeight * (count - 300)) / 300
      else return resolve(frames.slice(5))
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })`) as Promise<number[]>

async function measureEdits(page: Page): Promise<number[]> {
  await page.evaluate("document.querySelector('.dvn-scroller').scrollTop = 0")
  await waitForCell(page, 'text 0')
  const box = (await page.getByTestId('data-grid-canvas').boundingBox())!
  await page.mouse.click(box.x + 140, box.y + 34 + 15)
  const times: number[] = []
  for (let round = 0; round < EDITS; round++) {
    await page.keyboard.press('Enter')
    await page.keyboard.type(`edited ${round}`)
    const begin = performance.now()
    const confirmed = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok())
    await page.keyboard.press('Enter')
    await confirmed
    times.push(performance.now() - begin)
  }
  return times
}
