/** What follows a job, as its outcome says. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { inBrowser, until, withBrowser } from './browser.ts'
import { cellText, guestIn, openSheet } from './guest.ts'

const ACTION = { operation: 'finish', label: 'Finish', mode: 'foreground', primary: true }
const PEOPLE = [
  { name: 'Ada', email: 'ada@example.com' },
  { name: 'Grace', email: 'grace@example.com' },
]

type Made = Awaited<ReturnType<typeof guestIn>>

/** Starts the action of the space and ends its job so. */
async function ended({ page, call, space }: Made, outcome: object): Promise<void> {
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'Finish' }).click()
  const job = await until(async () => (await call('GET', `/jobs?spaceId=${space.id}&status=ready`)).body.data[0])
  await call('POST', `/jobs/${job.id}/ack`, {})
  await call('POST', `/jobs/${job.id}/complete`, { outcome })
}

/** From now on the page reads jobs that have ended with these changes. */
async function answerJobsWith(page: Page, changes: object): Promise<void> {
  await page.unroute('**/api/v1/jobs/*')
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

  it('leads to a sheet without some columns, to a snapshot, and shows all records again', async () => {
    const made = await guestIn({ actions: [ACTION] })
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, PEOPLE)
    const view = { type: 'view', sheetId: sheet.id, hiddenColumns: ['name', 'age'], label: 'See the addresses' }
    await ended(made, { message: 'Cleaned.', next: view })
    await page.getByRole('dialog').getByRole('button', { name: 'See the addresses' }).click()
    await until(async () => (await cellText(page, 0, 0)) === 'ada@example.com')
    await page.getByText('Hidden columns: 2').waitFor()

    await page.getByLabel('Search', { exact: true }).fill('grace')
    await until(async () => (await cellText(page, 0, 0)) === 'grace@example.com')
    await ended(made, { message: 'Removed.', next: { type: 'clearFilters', sheetIds: [sheet.id] } })
    await page.getByRole('dialog').getByRole('button', { name: 'Show all records' }).click()
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^People/ })
      .click()
    await until(async () => (await cellText(page, 0, 0)) === 'ada@example.com')
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('')

    const snapshot = (await call('POST', '/snapshots', { sheetId: sheet.id, label: 'Then' })).body.data
    await ended(made, { next: { type: 'snapshot', snapshotId: snapshot.id, sheetId: sheet.id } })
    await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click()
    await page.getByText('Nothing changed since.').waitFor()
    // Who came as a guest looks at it, and goes back by nobody's leave.
    expect(await page.getByRole('button', { name: /^Go back to this/ }).count()).toBe(0)
  })

  it('fades where there is nothing to do, and goes on by itself where it says so', async () => {
    const made = await guestIn({ actions: [ACTION] })
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, PEOPLE)
    await ended(made, {
      heading: 'Well done',
      message: 'All is in.',
      next: { type: 'wait', fade: true, confetti: true },
    })
    await page.getByRole('heading', { name: 'Well done' }).waitFor()
    await page.locator('.confetti').waitFor({ state: 'attached' })
    await until(async () => (await openDialogs(page)) === 0)
    const next = { type: 'view', sheetId: sheet.id, hiddenColumns: ['name'] }
    await ended(made, { message: 'Gone on.', trigger: 'automatic', next })
    await until(async () => (await cellText(page, 0, 0)) === 'ada@example.com')
    await page.locator('.toast').getByText('Gone on.').waitFor()
    expect(await openDialogs(page)).toBe(0)
    // Nothing leads out of the application by itself.
    await ended(made, { trigger: 'automatic', next: { type: 'url', url: 'https://example.com/', label: 'Read more' } })
    await page.getByRole('dialog').getByRole('link', { name: 'Read more' }).waitFor()
    expect(page.context().pages()).toHaveLength(1)
    await openSheet(page, made, 'Ada')
  })

  it('starts alone only for who started the job, and only when a trusted caller gave it', async () => {
    const made = await guestIn({ actions: [ACTION] })
    const { page, call, sheet } = made
    await call('POST', `/sheets/${sheet.id}/records`, PEOPLE)
    const outcome = {
      trigger: 'automatic',
      next: { type: 'view', sheetId: sheet.id, hiddenColumns: [], label: 'Go on' },
    }
    const answered = (changes: object) => answerJobsWith(page, changes)
    for (const changes of [{ createdBy: 'us_usr_OTHER' }, { outcomeBy: 'embedded' }, { outcomeBy: 'publishable' }]) {
      await answered(changes)
      await ended(made, outcome)
      await page.getByRole('dialog').getByRole('button', { name: 'Go on' }).waitFor()
      await page.waitForTimeout(500)
      expect(page.url()).not.toContain('/sheets/')
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    }
    for (const outcomeBy of ['environment', 'agent', 'administrator', 'singleSpaceGuest', undefined]) {
      await answered({ outcomeBy })
      await ended(made, outcome)
      await page.waitForURL(/\/sheets\//)
    }
  })

  it('fetches the downloads of the platform alone, and says where a link leads', async () => {
    const made = await guestIn({ actions: [ACTION] })
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
      await ended(made, { message: 'Done.' })
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Close' }).last().waitFor()
      await page.waitForTimeout(300)
      expect(await dialog.getByText('Take it').count(), url).toBe(0)
      await dialog.getByRole('button', { name: 'Close' }).last().click()
    }
    expect(asked.filter((path) => path.includes('revert') || path.includes('evil'))).toEqual([])
    await page.unroute('**/api/v1/jobs/*')
    await ended(made, { next: { type: 'url', url: 'https://example.com/report?id=1', label: 'Read more' } })
    const link = page.getByRole('dialog').getByRole('link', { name: 'Read more' })
    await link.getByText('example.com').waitFor()
    expect(await link.getAttribute('rel')).toContain('noopener')
  })
})
