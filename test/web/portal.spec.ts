/** The main job of a guest, from the file to clean records and out again, in a browser. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { callerOf, inBrowser, typeInCell, until, withBrowser } from './browser.ts'
import { cellText, choose, guestIn } from './guest.ts'

const CSV =
  'Full name,E-Mail,Age,State\nAda,ada@example.com,36,active\nGrace,grace@example.com,unknown,retired\n,joan@example.com,41,Active\n'

async function importFile(page: Page, text = CSV): Promise<void> {
  await choose(page, 'people.csv', text)
  await page.getByRole('button', { name: 'Import…' }).click({ timeout: 30_000 })
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Columns for People' }).waitFor()
}

inBrowser('the portal', () => {
  withBrowser()

  it('takes a file through mapping into the sheet, corrects a cell, and gives the records out', async () => {
    const { page, call, sheet } = await guestIn()
    await importFile(page)
    await page.getByLabel('Field for Full name').selectOption('name')
    await page.getByLabel('Field for State').selectOption('status')
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
    await until(async () => (await page.locator('[role=gridcell][aria-colindex="1"]').count()) === 2)
    const canvas = page.getByTestId('data-grid-canvas')
    const box = (await canvas.boundingBox())!
    // Age of Grace: the third column of the first row.
    await page.mouse.click(box.x + 40 + 190 * 2 + 40, box.y + 34 + 15)
    await page.locator('.cell-bar .error').waitFor()
    await typeInCell(page, '85')
    await page.getByRole('button', { name: /^Errors 1/ }).waitFor()
    expect((await call('GET', `/sheets/${sheet.id}/records?filter=error`)).body.data.records).toHaveLength(1)

    await page.getByRole('button', { name: /^All/ }).click()
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('menuitem', { name: 'As CSV' }).click()
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

  it('shows what somebody else changes within a second', async () => {
    const { page, call, sheet, space } = await guestIn()
    await call('POST', `/sheets/${sheet.id}/records`, [{ name: 'Ada', email: 'ada@example.com', age: 36 }])
    await page.goto(`/s/${space.id}/sheets/${sheet.id}`)
    await until(async () => (await cellText(page, 0, 0)) === 'Ada')
    await page.getByText('Live', { exact: true }).waitFor()
    const [{ id }] = (await call('GET', `/sheets/${sheet.id}/records`)).body.data.records
    await call('PUT', `/sheets/${sheet.id}/records`, [{ id, values: { name: { value: 'Ada Lovelace' } } }])
    const startedAt = Date.now()
    await until(async () => (await cellText(page, 0, 0)) === 'Ada Lovelace')
    expect(Date.now() - startedAt).toBeLessThan(1000)
  })

  it('filters, searches, queries, sorts, replaces, and goes back to a snapshot', async () => {
    const { page, call, sheet, space, account } = await guestIn()
    const people = Array.from({ length: 30 }, (_, at) => ({
      name: `Person ${at}`,
      email: `p${at}@example.com`,
      age: at,
    }))
    await call('POST', `/sheets/${sheet.id}/records`, [...people, { email: 'nobody@example.com' }])
    await page.goto(`/s/${space.id}/sheets/${sheet.id}`)
    await page.getByRole('button', { name: /^All 31/ }).waitFor()
    const first = () => cellText(page, 0, 0)
    await page.getByRole('button', { name: /^Errors 1/ }).click()
    await page.getByLabel('Field with errors').selectOption({ label: 'Name (1)' })
    await until(async () => (await cellText(page, 1, 0)) === 'nobody@example.com')
    await page.getByRole('button', { name: /^All/ }).click()
    await page.getByLabel('Search', { exact: true }).fill('person 7')
    await until(async () => (await first()) === 'Person 7')
    await page.getByLabel('Search', { exact: true }).fill('')
    await page.getByLabel('Query').fill('age gt 27')
    await page.getByRole('button', { name: 'Apply' }).click()
    await until(async () => (await first()) === 'Person 28')
    await page.getByLabel('Query').fill('age oops')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('alert').first().waitFor()
    await page.getByLabel('Query').fill('')
    await page.getByRole('button', { name: 'Apply' }).click()
    await until(async () => (await first()) === 'Person 0')
    // A guest sees snapshots; who administers makes them.
    await callerOf(account.secretKey)('POST', '/snapshots', { sheetId: sheet.id, label: 'Before' })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Find and replace' }).click()
    await page.getByLabel('Find', { exact: true }).fill('person')
    await page.getByLabel('Replace by').fill('Human')
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await until(async () => (await first()) === 'Human 0')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Snapshots' }).click()
    await page.getByText('Before').waitFor()
  })

  it('deletes what is selected and tells what happened to a record', async () => {
    const { page, call, sheet, space } = await guestIn()
    await call('POST', `/sheets/${sheet.id}/records`, [
      { name: 'Ada', email: 'a@example.com' },
      { name: 'Grace', email: 'g@example.com' },
    ])
    await page.goto(`/s/${space.id}/sheets/${sheet.id}`)
    await until(async () => (await cellText(page, 0, 1)) === 'Grace')
    const box = (await page.getByTestId('data-grid-canvas').boundingBox())!
    await page.mouse.click(box.x + 20, box.y + 34 + 15)
    await page.getByText('1 selected').waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'History of the record' }).click()
    await page.getByRole('dialog').getByText('Created').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await until(async () => (await cellText(page, 0, 0)) === 'Grace')
    expect((await call('GET', `/sheets/${sheet.id}/records`)).body.data.records).toHaveLength(1)
  })

  it('asks an action its form, runs its job and shows the outcome', async () => {
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
    const { page, call, space } = await guestIn({ actions: [action] })
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByLabel('Note *').fill('all done')
    await page.getByRole('button', { name: 'Continue' }).click()
    const job = await until(async () => {
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
    await until(async () => (await call('GET', `/jobs/${job.id}`)).body.data.outcomeAcknowledgedAt)
  })

  it('shows documents, invites unless that is switched off, and says why a file cannot be read', async () => {
    const { page, call, space } = await guestIn()
    await call('POST', `/spaces/${space.id}/documents`, {
      title: 'Read me',
      body: '# Hello\n\n**Welcome** [here](https://example.com)',
    })
    await page.getByRole('link', { name: 'Read me' }).click()
    await page.getByRole('heading', { name: 'Hello' }).waitFor()
    expect(await page.locator('.people li').allInnerTexts()).toEqual(['G\nGrace'])
    await page.getByRole('button', { name: /Invite somebody/ }).click()
    await page.getByLabel('E-mail address').fill('joan@example.com')
    await page.getByRole('button', { name: 'Send the invitation' }).click()
    await until(async () => (await call('GET', `/guests?spaceId=${space.id}`)).body.data.length === 2)
    await page.locator('.people li', { hasText: 'joan@example.com' }).waitFor()
    await call('PATCH', `/spaces/${space.id}`, { metadata: { sidebarConfig: { showGuestInvite: false } } })
    await page.getByRole('button', { name: /Invite somebody/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Files' }).click()
    await page.setInputFiles('input[type=file]', {
      name: 'bad.xlsx',
      mimeType: 'application/zip',
      buffer: Buffer.from('PK no'),
    })
    await page.locator('.file-row .badge.bad').waitFor({ timeout: 30_000 })
  })
})
