import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { inBrowser, waitUntil, waitUntilDrawn, withBrowser } from './browser.ts'
import { getCellText, newGuestPage, openSheet } from './guest.ts'

const ACTION = { operation: 'finish', label: 'Finish', mode: 'foreground', primary: true }
const PEOPLE = [
  { name: 'Ada', email: 'ada@example.com' },
  { name: 'Grace', email: 'grace@example.com' },
]

type Made = Awaited<ReturnType<typeof newGuestPage>>

async function finishJob({ page, call, space }: Made, outcome: object): Promise<void> {
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'Finish' }).click()
  const job = await waitUntil(async () => (await call('GET', `/jobs?spaceId=${space.id}&status=ready`)).body.data[0])
  await call('POST', `/jobs/${job.id}/ack`, {})
  await call('POST', `/jobs/${job.id}/complete`, { outcome })
}

async function answerJobsWith(page: Page, changes: object): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' })
  await page.route('**/api/v1/jobs/*', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const { data } = await response.json()
    await route.fulfill({ response, json: { data: data.status === 'completed' ? { ...data, ...changes } : data } })
  })
}

const openDialogs = (page: Page) => page.getByRole('dialog').count()

inBrowser('the outcome of a job', () => {
  withBrowser()

  it('opens a sheet without some columns, opens a snapshot, and shows all records again', async () => {
    const made = await newGuestPage({ actions: [ACTION] })
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, PEOPLE)
    const view = { type: 'view', sheetId: sheet.id, hiddenColumns: ['name', 'age'], label: 'See the addresses' }
    await finishJob(made, { message: 'Cleaned.', next: view })
    await page.getByRole('dialog').getByRole('button', { name: 'See the addresses' }).click()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'ada@example.com')
    await page.getByText('2 hidden columns').waitFor()

    await page.getByLabel('Search', { exact: true }).fill('grace')
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'grace@example.com')
    await finishJob(made, { message: 'Removed.', next: { type: 'clearFilters', sheetIds: [sheet.id] } })
    await page.getByRole('dialog').getByRole('button', { name: 'Show all records' }).click()
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^People/ })
      .click()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'ada@example.com')
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('')

    const snapshot = (await call('POST', '/snapshots', { sheetId: sheet.id, label: 'Then' })).body.data
    await finishJob(made, { next: { type: 'snapshot', snapshotId: snapshot.id, sheetId: sheet.id } })
    await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click()
    await page.getByText('No changes since this snapshot.').waitFor()
    expect(await page.getByRole('button', { name: /^Restore/ }).count()).toBe(0)
  })

  it('fades without a next step, and continues automatically where configured', async () => {
    const made = await newGuestPage({ actions: [ACTION] })
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, PEOPLE)
    await finishJob(made, {
      heading: 'Well done',
      message: 'All is in.',
      next: { type: 'wait', fade: true, confetti: true },
    })
    await page.getByRole('heading', { name: 'Well done' }).waitFor()
    await page.locator('.confetti').waitFor({ state: 'attached' })
    await waitUntil(async () => (await openDialogs(page)) === 0)
    const next = { type: 'view', sheetId: sheet.id, hiddenColumns: ['name'] }
    await finishJob(made, { message: 'Gone on.', trigger: 'automatic', next })
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'ada@example.com')
    await page.locator('.toast').getByText('Gone on.').waitFor()
    expect(await openDialogs(page)).toBe(0)
    await finishJob(made, {
      trigger: 'automatic',
      next: { type: 'url', url: 'https://example.com/', label: 'Read more' },
    })
    await page.getByRole('dialog').getByRole('link', { name: 'Read more' }).waitFor()
    expect(page.context().pages()).toHaveLength(1)
    await openSheet(page, made, 'Ada')
  })

  it('starts automatically only for the user who started the job, and only from a trusted caller', async () => {
    const made = await newGuestPage({ actions: [ACTION] })
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, PEOPLE)
    const outcome = {
      trigger: 'automatic',
      next: { type: 'view', sheetId: sheet.id, hiddenColumns: [], label: 'Go on' },
    }
    const answerJobs = (changes: object) => answerJobsWith(page, changes)
    for (const changes of [{ createdBy: 'us_usr_OTHER' }, { outcomeBy: 'embedded' }, { outcomeBy: 'publishable' }]) {
      await answerJobs(changes)
      await finishJob(made, outcome)
      await page.getByRole('dialog').getByRole('button', { name: 'Go on' }).waitFor()
      await waitUntilDrawn(page)
      expect(page.url()).not.toContain('/sheets/')
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    }
    for (const outcomeBy of ['environment', 'agent', 'administrator', 'singleSpaceGuest', undefined]) {
      await answerJobs({ outcomeBy })
      await finishJob(made, outcome)
      await page.waitForURL(/\/sheets\//)
    }
  })

  it('downloads only from the platform, and shows where a link leads', async () => {
    const made = await newGuestPage({ actions: [ACTION] })
    const { page } = made
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    for (const url of [
      '/v1/agents/us_ag_1/versions/us_agv_1/revert',
      '/v1/files/us_fl_1/../../agents/us_ag_1/versions/us_agv_1/revert',
      '//evil.example/v1/files/us_fl_1/download',
      '\\\\evil.example/v1/files/us_fl_1/download',
      'javascript:alert(1)',
    ]) {
      await answerJobsWith(page, {
        outcome: { trigger: 'automatic', next: { type: 'download', url, label: 'Take it' } },
      })
      await finishJob(made, { message: 'Done.' })
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Close' }).last().waitFor()
      await waitUntilDrawn(page)
      expect(await dialog.getByText('Take it').count(), url).toBe(0)
      await dialog.getByRole('button', { name: 'Close' }).last().click()
    }
    expect(asked.filter((path) => path.includes('revert') || path.includes('evil'))).toEqual([])
    await page.unrouteAll({ behavior: 'wait' })
    await finishJob(made, { next: { type: 'url', url: 'https://example.com/report?id=1', label: 'Read more' } })
    const link = page.getByRole('dialog').getByRole('link', { name: 'Read more' })
    await link.getByText('example.com').waitFor()
    expect(await link.getAttribute('rel')).toContain('noopener')
  })
})
