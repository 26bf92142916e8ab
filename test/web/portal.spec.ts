import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createCaller, inBrowser, typeInCell, waitUntil, withBrowser } from './browser.ts'
import { chooseFile, getCellText, newGuestPage, newVerifiedGuestPage } from './guest.ts'

const CSV =
  'Full name,E-Mail,Age,State\nAda,ada@example.com,36,active\nGrace,grace@example.com,Paris,retired\n,joan@example.com,41,Active\n'

async function importFile(page: Page, text = CSV): Promise<void> {
  await chooseFile(page, 'people.csv', text)
  await page.getByRole('button', { name: 'Import…' }).click({ timeout: 30_000 })
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Map columns to People' }).waitFor()
}

inBrowser('the portal', () => {
  withBrowser()

  it('takes a file through mapping into the sheet, corrects a cell, and downloads the records', async () => {
    const { page, call, sheet } = await newGuestPage()
    await importFile(page)
    await page.getByText(/^3 records will be imported/).waitFor()
    await page.getByText('1 value will be an error: Paris').waitFor()
    await page.getByLabel('Field for Full name').selectOption('name')
    await page.getByLabel('Field for State').selectOption('status')
    expect(await page.getByLabel('Value for active', { exact: true }).isVisible()).toBe(false)
    await page.getByLabel('Value for retired').selectOption('gone')
    await page.getByRole('button', { name: 'Confirm and import' }).click()
    await page.waitForURL('**/sheets/**')
    await page.getByRole('button', { name: /^Errors 2/ }).waitFor()
    const records = (await call('GET', `/sheets/${sheet.id}/records`)).body.data.records
    expect(records.map(({ values }: { values: Record<string, { value: unknown }> }) => values.status!.value)).toEqual([
      'active',
      'gone',
      'active',
    ])

    await page.getByRole('button', { name: /^Errors/ }).click()
    await waitUntil(async () => (await page.locator('[role=gridcell][aria-colindex="1"]').count()) === 2)
    const canvas = page.getByTestId('data-grid-canvas')
    const box = (await canvas.boundingBox())!
    await page.mouse.click(box.x + 40 + 190 * 2 + 40, box.y + 34 + 15)
    await page.locator('.cell-bar .error').waitFor()
    await typeInCell(page, '85')
    await page.getByRole('button', { name: /^Errors 1/ }).waitFor()
    expect((await call('GET', `/sheets/${sheet.id}/records?filter=error`)).body.data.records).toHaveLength(1)

    await page.getByRole('button', { name: /^All/ }).click()
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('menuitem', { name: 'Download as CSV' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 30_000 }),
      page
        .getByRole('dialog')
        .getByRole('button')
        .filter({ hasText: /csv|download/i })
        .first()
        .click({ timeout: 30_000 }),
    ])
    expect(await readFile((await download.path())!, 'utf8')).toContain('Grace,grace@example.com,85,gone')
  })

  it("shows another user's change within a second", async () => {
    const { page, call, sheet, space } = await newGuestPage()
    await call('POST', `/sheets/${sheet.id}/records`, [{ name: 'Ada', email: 'ada@example.com', age: 36 }])
    await page.goto(`/s/${space.id}/sheets/${sheet.id}`)
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'Ada')
    await page.getByText('Live', { exact: true }).waitFor()
    const [{ id }] = (await call('GET', `/sheets/${sheet.id}/records`)).body.data.records
    await call('PUT', `/sheets/${sheet.id}/records`, [{ id, values: { name: { value: 'Ada Lovelace' } } }])
    const startedAt = Date.now()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'Ada Lovelace')
    expect(Date.now() - startedAt).toBeLessThan(1000)
  })

  it('filters, searches, queries, sorts, replaces, and restores a snapshot', async () => {
    const { page, call, sheet, space, account } = await newGuestPage()
    const people = Array.from({ length: 30 }, (_, at) => ({
      name: `Person ${at}`,
      email: `p${at}@example.com`,
      age: at,
    }))
    await call('POST', `/sheets/${sheet.id}/records`, [...people, { email: 'nobody@example.com' }])
    await page.goto(`/s/${space.id}/sheets/${sheet.id}`)
    await page.getByRole('button', { name: /^All 31/ }).waitFor()
    const first = () => getCellText(page, 0, 0)
    await page.getByRole('button', { name: /^Errors 1/ }).click()
    await page.getByLabel('In field').selectOption({ label: 'Name (1)' })
    await waitUntil(async () => (await getCellText(page, 1, 0)) === 'nobody@example.com')
    await page.getByRole('button', { name: /^All/ }).click()
    await page.getByLabel('Search', { exact: true }).fill('person 7')
    await waitUntil(async () => (await first()) === 'Person 7')
    await page.getByLabel('Search', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Advanced query' }).click()
    await page.getByLabel('Query', { exact: true }).fill('age gt 27')
    await page.getByRole('button', { name: 'Apply' }).click()
    await waitUntil(async () => (await first()) === 'Person 28')
    await page.getByLabel('Query', { exact: true }).fill('age oops')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    await page.getByLabel('Query', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Apply' }).click()
    await waitUntil(async () => (await first()) === 'Person 0')
    await createCaller(account.secretKey)('POST', '/snapshots', { sheetId: sheet.id, label: 'Before' })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Find and replace' }).click()
    await page.getByLabel('Find', { exact: true }).fill('person')
    await page.getByLabel('Replace with').fill('Human')
    await page.getByRole('button', { name: 'Replace in 30 cells' }).click()
    await waitUntil(async () => (await first()) === 'Human 0')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Snapshots' }).click()
    await page.getByText('Before').waitFor()
  })

  it('deletes the selection and shows the history of a record', async () => {
    const { page, call, sheet, space } = await newGuestPage()
    await call('POST', `/sheets/${sheet.id}/records`, [
      { name: 'Ada', email: 'a@example.com' },
      { name: 'Grace', email: 'g@example.com' },
    ])
    await page.goto(`/s/${space.id}/sheets/${sheet.id}`)
    await waitUntil(async () => (await getCellText(page, 0, 1)) === 'Grace')
    const box = (await page.getByTestId('data-grid-canvas').boundingBox())!
    await page.mouse.click(box.x + 20, box.y + 34 + 15)
    await page.getByText('1 selected').waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Record history' }).click()
    await page.getByRole('dialog').getByText('added the row').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await waitUntil(async () => (await getCellText(page, 0, 0)) === 'Grace')
    expect((await call('GET', `/sheets/${sheet.id}/records`)).body.data.records).toHaveLength(1)
  })

  it("shows an action's form, runs its job and shows the outcome", async () => {
    const action = {
      operation: 'submitActionFg',
      label: 'Submit',
      primary: true,
      mode: 'foreground',
      inputForm: {
        type: 'simple',
        fields: [{ key: 'note', label: 'Note', type: 'string', constraints: [{ type: 'required' }] }],
      },
    }
    const { page, call, space } = await newGuestPage({ actions: [action] })
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByLabel('Note *').fill('all done')
    await page.getByRole('button', { name: 'Continue' }).click()
    const job = await waitUntil(async () => {
      const found = (await call('GET', `/jobs?spaceId=${space.id}`)).body.data[0]
      return found?.status === 'ready' && found
    })
    expect(job.input).toEqual({ note: 'all done' })
    await call('POST', `/jobs/${job.id}/ack`, { info: 'Looking', progress: 40 })
    await page.getByText('Looking').first().waitFor()
    await call('POST', `/jobs/${job.id}/complete`, {
      outcome: {
        heading: 'Thank you',
        message: 'We have it.',
        acknowledge: true,
      },
    })
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    await page.getByRole('dialog').getByText('We have it.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await waitUntil(async () => (await call('GET', `/jobs/${job.id}`)).body.data.outcomeAcknowledgedAt)
  })

  it('shows documents, invites unless that is disabled, and explains why a file cannot be read', async () => {
    const { page, call, space } = await newVerifiedGuestPage()
    await call('POST', `/spaces/${space.id}/documents`, {
      title: 'Read me',
      body: '# Hello\n\n**Welcome** [here](https://example.com)',
    })
    await page.getByRole('link', { name: 'Read me' }).click()
    await page.getByRole('heading', { name: 'Hello' }).waitFor()
    expect(await page.locator('.people li').allInnerTexts()).toEqual(['G\nGrace'])
    await page.getByRole('button', { name: /Invite people/ }).click()
    await page.getByLabel('Email address').fill('joan@example.com')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await waitUntil(async () => (await call('GET', `/guests?spaceId=${space.id}`)).body.data.length === 2)
    await page.locator('.people li', { hasText: 'joan@example.com' }).waitFor()
    await call('PATCH', `/spaces/${space.id}`, { metadata: { sidebarConfig: { showGuestInvite: false } } })
    await page.getByRole('button', { name: /Invite people/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Files' }).click()
    await page.setInputFiles('input[type=file]', {
      name: 'bad.xlsx',
      mimeType: 'application/zip',
      buffer: Buffer.from('PK no'),
    })
    await page.locator('.file-row .badge.bad').waitFor({ timeout: 30_000 })
  })
})
