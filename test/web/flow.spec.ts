/** The way of a guest: upload, match, review, submit. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations, inBrowser, waitUntil, waitUntilDrawn, withBrowser } from './browser.ts'
import { chooseFile, newGuestPage } from './guest.ts'

type Made = Awaited<ReturnType<typeof newGuestPage>>

const ORDERS = [
  { key: 'customer', label: 'Customer', type: 'string', constraints: [{ type: 'required' }] },
  { key: 'ordered', label: 'Order date', type: 'date' },
  { key: 'paid', label: 'Paid', type: 'boolean' },
  { key: 'country', label: 'Country', type: 'reference', config: { ref: 'countries', key: 'name' } },
]

async function addOrders({ call, space, account }: Made, more: object = {}) {
  const { environmentId } = account
  const sheets = [
    { name: 'Orders', slug: 'orders', fields: ORDERS },
    { name: 'Countries', slug: 'countries', fields: [{ key: 'name', label: 'Name', type: 'string' }] },
  ]
  const { data } = (
    await call('POST', '/workbooks', { spaceId: space.id, environmentId, name: 'Orders', sheets, ...more })
  ).body
  return data as { id: string; sheets: { id: string }[] }
}

async function readValues({ call }: Made, sheetId: string, ...keys: string[]) {
  const { records } = (await call('GET', `/sheets/${sheetId}/records`)).body.data
  return records.map(({ values }: { values: Record<string, { value: unknown }> }) =>
    keys.map((key) => values[key]!.value),
  )
}

async function matchFile(page: Page, name: string, text: string, sheet = 'People'): Promise<void> {
  await chooseFile(page, name, text)
  await page.getByRole('button', { name: 'Match columns' }).click({ timeout: 30_000 })
  await page.getByRole('heading', { name: `Map columns to ${sheet}` }).waitFor()
}

async function confirm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Confirm and import' }).click()
  await page.waitForURL('**/sheets/**', { timeout: 30_000 })
}

const step = (page: Page) => page.getByRole('navigation', { name: 'Steps' }).locator('[aria-current=step]').innerText()

inBrowser('the way of a guest', () => {
  withBrowser()

  it('starts with what is needed: fields in plain words, templates, and a table that is pasted', async () => {
    const made = await newGuestPage()
    const { page } = made
    await page.getByRole('heading', { name: 'What we need' }).waitFor()
    const needs = page.getByRole('article', { name: 'People' })
    expect(await needs.locator('li').first().innerText()).toMatch(/^Name\s*Required\s*Text$/)
    await needs.getByText('3 optional fields').click()
    await needs.getByText('One of: Active, Gone').waitFor()
    expect(await step(page)).toContain('Upload')
    expect(await findViolations(page)).toEqual([])
    for (const [format, content] of [
      ['CSV', 'Name,E-mail,Age,Status'],
      ['XLSX', 'PK'],
    ] as const) {
      await needs.getByRole('button', { name: 'Template for People' }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: `${format} template` }).click(),
      ])
      expect(download.suggestedFilename()).toBe(`People.${format.toLowerCase()}`)
      expect(await readFile((await download.path())!, 'latin1')).toContain(content)
    }
    await page.getByRole('button', { name: 'Paste a table' }).click()
    await page.getByRole('dialog').getByLabel('Table').fill('Name\tAge\nAda\t36\n')
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Use this table' }).click()
    await page.getByRole('button', { name: 'Match columns' }).click({ timeout: 30_000 })
    await page.getByRole('heading', { name: 'Map columns to People' }).waitFor()
    await confirm(page)
    expect(await readValues(made, made.sheet.id, 'name', 'age')).toEqual([['Ada', 36]])
  })

  it('takes a table from the clipboard anywhere on the page, but not in a field', async () => {
    const { page } = await newGuestPage()
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'Name\\tAge\\nGrace\\t85\\n')
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    })()`)
    await page.getByRole('region', { name: /^“Pasted table .*\.tsv” is ready$/ }).waitFor({ timeout: 30_000 })
  })

  it('asks what an ambiguous date means, and imports the chosen meaning, also after a reload', async () => {
    const made = await newGuestPage()
    const { page } = made
    const { sheets } = await addOrders(made)
    await page.reload()
    await chooseFile(page, 'orders.csv', 'Customer,Order date,Paid\nAda,01/02/2021,ja\nGrace,03/04/2021,nein\n')
    await page.getByRole('button', { name: 'Match columns' }).click({ timeout: 30_000 })
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Into').locator('option:checked').innerText()).toBe('Orders · Orders')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    const question = page.getByRole('group', { name: /How should we read the dates in “Order date”/ })
    await question.getByRole('button', { name: /February 1, 2021/ }).click()
    await page.getByText('01/02/2021 → 2021-02-01').waitFor()
    expect(await findViolations(page)).toEqual([])
    await question.getByRole('button', { name: /January 2, 2021/ }).click()
    await page.getByText('01/02/2021 → 2021-01-02').waitFor()
    await page.reload()
    await question.getByRole('button', { name: /January 2, 2021/, pressed: true }).waitFor()
    expect(await step(page)).toContain('Match')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('region', { name: 'You started to match “orders.csv”' }).waitFor()
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await confirm(page)
    expect(await readValues(made, sheets[0]!.id, 'customer', 'ordered', 'paid')).toEqual([
      ['Ada', '2021-01-02', true],
      ['Grace', '2021-03-04', false],
    ])
  })

  it('says which column a field has already, swaps them, and puts required fields without a column on top', async () => {
    const made = await newGuestPage()
    const { page } = made
    await matchFile(page, 'people.csv', 'Name,E-mail,Nickname\nAda,ada@example.com,Countess\n')
    await page.getByLabel('Field for Nickname').selectOption('name')
    await page.getByText('“Name” already gets “Name”.').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByLabel('Field for Name').inputValue()).toBe('name')
    await page.getByLabel('Field for E-mail').selectOption('name')
    await page.getByRole('button', { name: 'Swap' }).click()
    expect(await page.getByLabel('Field for Name').inputValue()).toBe('email')
    expect(await page.getByLabel('Field for E-mail').inputValue()).toBe('name')
    await page.getByLabel('Field for E-mail').selectOption('')
    const required = page.getByRole('region', { name: 'Required fields' })
    await required.getByText('Required field not mapped: Name').waitFor()
    await required.getByLabel('Column for Name').selectOption({ label: 'Nickname' })
    await required.waitFor({ state: 'detached' })
    await confirm(page)
    expect(await readValues(made, made.sheet.id, 'name', 'email')).toEqual([['Countess', 'Ada']])
  })

  it('reads a column as the field that the guest chooses for it', async () => {
    const made = await newGuestPage()
    const { page } = made
    const { sheets } = await addOrders(made)
    await page.reload()
    await chooseFile(page, 'orders.csv', 'Customer,When,Zahlung\nAda,31.12.2020,ja\nGrace,1. März 2021,nein\n')
    await page.getByRole('button', { name: 'Match columns' }).click({ timeout: 30_000 })
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Field for When').selectOption('ordered')
    await page.getByLabel('Field for Zahlung').selectOption('paid')
    await page.getByText('31.12.2020 → 2020-12-31').waitFor()
    await confirm(page)
    expect(await readValues(made, sheets[0]!.id, 'ordered', 'paid')).toEqual([
      ['2020-12-31', true],
      ['2021-03-01', false],
    ])
  })

  it('joins columns, fills a fixed value and formats a field, with what becomes of it', async () => {
    const made = await newGuestPage()
    const { page } = made
    await matchFile(page, 'people.csv', 'First,Last,E-mail\nAda,Lovelace,ADA@EXAMPLE.COM\n')
    const add = async (change: string) => {
      await page.getByRole('button', { name: 'Add a change' }).click()
      await page.getByRole('menuitem', { name: change }).click()
    }
    const dialog = page.getByRole('dialog')
    await add('Join columns')
    await dialog.getByLabel('First').check()
    await dialog.getByLabel('Last').check()
    await dialog.getByLabel('Our field').selectOption('name')
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('listitem', { name: 'Join First and Last into Name' }).getByText('Ada Lovelace').waitFor()
    await add('Fill a field with a fixed value')
    await dialog.getByLabel('Our field').selectOption('status')
    await dialog.getByLabel('Value').selectOption('active')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await add('Change upper and lower case, or spaces')
    await dialog.getByLabel('Our field').selectOption('email')
    await dialog.getByLabel('Format').selectOption({ label: 'lower case' })
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('ada@example.com', { exact: true }).first().waitFor()
    await page.reload()
    await page.getByRole('listitem', { name: 'Fill Status with “active”' }).waitFor()
    await confirm(page)
    expect(await readValues(made, made.sheet.id, 'name', 'email', 'status')).toEqual([
      ['Ada Lovelace', 'ada@example.com', 'active'],
    ])
  })

  it('discards a mapping, undoes an import and says who changed it since, and repeats it next time', async () => {
    const made = await newGuestPage()
    const { page, call, sheet } = made
    const csv = 'Name,E-mail,Alter\nAda,ada@example.com,36\n'
    await matchFile(page, 'june.csv', csv)
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('region', { name: '“june.csv” is ready' }).waitFor()
    await page.getByRole('button', { name: 'Match columns' }).click()
    await page.getByLabel('Field for Alter').selectOption('age')
    await confirm(page)
    await page.getByRole('link', { name: 'Overview' }).click()
    const row = page.getByRole('listitem', { name: 'june.csv' }).filter({ hasText: '1 record added' })
    await row.getByRole('button', { name: 'Do the same next time: june.csv' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Monthly list')
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await row.getByText('Saved for next time').waitFor()

    const [{ id }] = (await call('GET', `/sheets/${sheet.id}/records`)).body.data.records
    await call('PUT', `/sheets/${sheet.id}/records`, [{ id, values: { age: { value: 37 } } }])
    await row.getByRole('button', { name: 'Undo: june.csv' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')

    await matchFile(page, 'july.csv', csv.replace('Ada', 'Grace').replace('ada@', 'grace@'))
    await page.getByText('Mapped as last time: Monthly list').waitFor()
    expect(await page.getByLabel('Field for Alter').inputValue()).toBe('age')
    await page.getByRole('button', { name: 'Start fresh' }).click()
    await page.getByText('Mapped as last time: Monthly list').waitFor({ state: 'detached' })
    await confirm(page)
    await page.getByRole('link', { name: 'Overview' }).click()
    const july = page.getByRole('listitem', { name: 'july.csv' }).filter({ hasText: 'added' })
    await july.getByRole('button', { name: 'Undo: july.csv' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await july.getByText('Undone', { exact: true }).waitFor()
    expect(await readValues(made, sheet.id, 'name')).toEqual([['Ada']])
  })

  it('says what blocks the submission, leads to it, creates missing records, and ends with what was sent', async () => {
    const made = await newGuestPage()
    const { page, call } = made
    const action = { operation: 'submit', label: 'Submit', mode: 'foreground', primary: true }
    const { id, sheets } = await addOrders(made, { actions: [{ ...action, constraints: [{ type: 'hasAllValid' }] }] })
    await call('POST', `/sheets/${sheets[0]!.id}/records`, [
      { customer: 'Ada', country: 'France' },
      { country: 'France' },
    ])
    await page.reload()
    await page.getByRole('region', { name: 'Fix 2 rows with errors before you submit' }).waitFor()
    expect(await page.getByRole('button', { name: 'Submit' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Create 1 record' }).click()
    await page.getByRole('region', { name: 'Fix 1 row with errors before you submit' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Show errors' }).click()
    await page.getByRole('button', { name: /^Errors 1/, pressed: true }).waitFor()
    const { records } = (await call('GET', `/sheets/${sheets[0]!.id}/records?filter=error`)).body.data
    await call('PUT', `/sheets/${sheets[0]!.id}/records`, [
      { id: records[0].id, values: { customer: { value: 'Bo' } } },
    ])
    await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Submit' }).click()
    const job = await waitUntil(async () => (await call('GET', `/jobs?source=${id}&status=ready`)).body.data[0])
    await call('POST', `/jobs/${job.id}/ack`, {})
    await call('POST', `/jobs/${job.id}/complete`, { outcome: { message: 'The warehouse has it.' } })
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('link', { name: 'Overview' }).click()
    const done = page.getByRole('region', { name: 'Submitted' })
    await done.getByText('The warehouse has it.').waitFor()
    await done.getByText(/3 records · 0 files · by you/).waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  it('shows how many records an import has read, in percent and in words', async () => {
    const { page } = await newGuestPage()
    await matchFile(page, 'people.csv', 'Name,E-mail\nAda,ada@example.com\n')
    const job = { status: 'executing', progress: 40, info: 'Mapped 40,000 of 100,000 records' }
    await page.route(/\/jobs\/us_jb_\w+$/, async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      await route.fulfill({ response, json: { data: { ...data, ...job } } })
    })
    await page.getByRole('button', { name: 'Confirm and import' }).click()
    const state = page.getByRole('status').filter({ has: page.getByRole('progressbar', { name: 'Importing' }) })
    await state.getByText('40% · Mapped 40,000 of 100,000 records').waitFor()
    const [heading, bar] = [
      await state.getByRole('heading').boundingBox(),
      await state.getByRole('progressbar').boundingBox(),
    ]
    expect(bar!.y - heading!.y - heading!.height).toBeLessThan(40)
    expect(await findViolations(page)).toEqual([])
    await page.unrouteAll({ behavior: 'wait' })
    await page.waitForURL('**/sheets/**')
  })

  it('has at most one primary button on each of its screens', async () => {
    const made = await newGuestPage({ actions: [{ operation: 'clean', label: 'Clean', mode: 'foreground' }] })
    const { page } = made
    await addOrders(made, { actions: [{ operation: 'submit', label: 'Submit', mode: 'foreground', primary: true }] })
    const expectOne = async () => {
      await waitUntilDrawn(page)
      expect(await page.locator('main .button.primary').allInnerTexts()).toHaveLength(1)
    }
    await page.reload()
    await page.getByRole('heading', { name: 'What we need' }).waitFor()
    await expectOne()
    await chooseFile(page, 'people.csv', 'Name,E-mail,Age\nAda,ada@example.com,36\n,grace@example.com,x\n')
    await page.getByRole('button', { name: 'Match columns' }).waitFor({ timeout: 30_000 })
    await expectOne()
    await page.getByRole('button', { name: 'Match columns' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Map columns to People' }).waitFor()
    await expectOne()
    await confirm(page)
    await page.getByRole('button', { name: 'Review errors' }).waitFor()
    await expectOne()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('button', { name: 'Show errors' }).waitFor()
    await expectOne()
    await page.getByRole('listitem', { name: 'people.csv' }).first().waitFor()
  })
})
