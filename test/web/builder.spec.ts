import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  createCaller,
  createTestAccount,
  findViolations,
  inBrowser,
  mintSpace,
  newPage,
  type PageOptions,
  signInWithoutPage,
  type TestAccount,
  waitUntil,
  withBrowser,
} from './browser.ts'
import { chooseFile } from './guest.ts'

const STATES = ['Active', 'Gone', 'New']
const ROWS = Array.from(
  { length: 60 },
  (_, i) => `C-${1000 + i};Ada ${i};ada${i}@example.com;${i % 9},5 kg;${STATES[i % 3]};0${1 + (i % 9)}.12.2020`,
)
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"><rect width="900" height="300" fill="#ffd400"/></svg>'
const SAMPLE = `Customer no;full_name;E-mail;Weight;State;Since\n${ROWS.join('\n')}\n`

async function openBuilder(account: TestAccount, options: PageOptions = {}): Promise<Page> {
  const page = await newPage(options)
  await signInWithoutPage(page, account)
  await page.goto(`/console/${account.environmentId}/builder`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const row = (page: Page, name: string) =>
  page.locator('.field-row').filter({ has: page.getByRole('button', { name: `Details of ${name}`, exact: true }) })

const listNames = (page: Page): Promise<string[]> =>
  page.locator('.field-name').evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))

async function importFile(page: Page, name: string, text: string): Promise<void> {
  await chooseFile(page, name, text)
  await page.getByRole('button', { name: 'Import…' }).click({ timeout: 30_000 })
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Confirm and import' }).click()
  await page.waitForURL('**/sheets/**')
}

inBrowser('the builder of workbooks', () => {
  withBrowser()

  it('makes a workbook from a sample file, which a guest fills in and submits without a listener', async () => {
    const account = await createTestAccount()
    const page = await openBuilder(account)
    await page.getByRole('navigation').getByRole('link', { name: 'New workbook' }).waitFor()
    await chooseFile(page, 'my_customers.csv', SAMPLE)
    await page.getByRole('heading', { name: 'Fields', level: 1 }).waitFor({ timeout: 30_000 })
    expect(await listNames(page)).toEqual(['Customer no', 'Full name', 'E-mail', 'Weight (kg)', 'State', 'Since'])
    const kinds = await page
      .locator('.field-row select')
      .evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value))
    expect(kinds).toEqual(['text', 'text', 'email', 'number', 'option', 'date'])
    expect(await row(page, 'Customer no').getByLabel('No duplicates').isChecked()).toBe(true)
    await row(page, 'State').getByText('3 different values in 60 rows').waitFor()
    await page.getByText('All 60 rows fit these fields.').waitFor()

    await row(page, 'Weight (kg)').getByRole('button', { name: 'Details' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText('60 of 60 values are numbers in kg').waitFor()
    await drawer.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('menuitem', { name: 'Smallest and largest value' }).click()
    await drawer.getByLabel('At most').fill('7')
    await drawer.getByText('12 of 60 values would be errors').waitFor()
    await drawer.getByLabel('At most').fill('20')
    await drawer.getByText('would be errors').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Name of the space').fill('Our customers')
    await page.getByLabel('Welcome text').fill('Send us your customers.')
    const preview = page.getByRole('figure', { name: 'Preview' })
    await preview.getByText('Send us your customers.').waitFor()
    await page.getByLabel('Brand color').fill('#ffd400')
    await page
      .locator('.branding input[type=file]')
      .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) })
    await preview.getByRole('presentation').waitFor()
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.getByRole('heading', { name: '“Our customers” is ready' }).waitFor()
    await page.getByLabel('Invite guests').fill('grace@example.com')
    await page.getByRole('button', { name: 'Invite people' }).click()
    await page.getByText('Invited.').waitFor()

    const call = createCaller(account.secretKey)
    const spaces = (await call('GET', '/spaces')).body.data
    expect(spaces.map(({ name }: { name: string }) => name)).toEqual(['Our customers'])
    expect(spaces[0].metadata).toMatchObject({
      welcome: { text: 'Send us your customers.' },
      theme: { root: { primaryColor: '#ffd400' } },
    })

    const guest = await newPage()
    await guest.goto(await page.locator('.guest-link code').innerText())
    await guest.getByLabel('Email address').fill('grace@example.com')
    await guest.getByRole('button', { name: 'Continue' }).click()
    await guest.getByRole('heading', { name: 'Our customers' }).waitFor()
    await guest.getByText('Send us your customers.').waitFor()
    await waitUntil(() =>
      guest.locator('.welcome img').evaluate((image) => (image as HTMLImageElement).naturalWidth === 320),
    )
    expect(await findViolations(guest)).toEqual([])
    if (process.env.SHOTS) await guest.screenshot({ path: `${process.env.SHOTS}/builder-guest.png` })
    await importFile(guest, 'customers.csv', SAMPLE)
    await guest.goto(`/s/${spaces[0].id}`)
    await guest.getByText('60 records').first().waitFor()
    await guest.getByRole('button', { name: 'Submit' }).first().click()
    const dialog = guest.getByRole('dialog')
    await dialog
      .getByText('60 records were submitted. They can no longer be changed here.')
      .waitFor({ timeout: 30_000 })
    await dialog.getByRole('button', { name: 'Download a copy' }).waitFor()
    const [workbook] = (await call('GET', `/workbooks?spaceId=${spaces[0].id}&name=My customers`)).body.data
    const [sheet] = (await call('GET', `/sheets?workbookId=${workbook.id}`)).body.data
    expect(sheet.lockedAt).toBeDefined()
  }, 120_000)

  it('makes a workbook from a template by keyboard, shows it as code, and gives it to new spaces', async () => {
    const account = await createTestAccount()
    const page = await openBuilder(account)
    const press = (...keys: string[]) =>
      keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())
    await page.getByRole('button', { name: /^Products/ }).focus()
    await press('Enter')
    await page.getByRole('heading', { name: 'Fields', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Move Name', exact: true }).focus()
    await press('ArrowUp')
    await waitUntil(async () => (await listNames(page))[0] === 'Name')
    await page.getByText('Name is now at position 1.').waitFor()
    await page.getByRole('button', { name: 'Add field' }).focus()
    await press('Enter')
    await waitUntil(() => page.evaluate(() => document.activeElement?.className === 'field-name'))
    await page.keyboard.type('Color')
    await row(page, 'Color').getByLabel('Type of Color').selectOption('option')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').getByText('Color needs options to choose from.').waitFor()
    await row(page, 'Color').getByRole('button', { name: 'Details' }).click()
    await page.getByRole('dialog').getByLabel('Options').fill('Red\nGreen')
    await press('Escape')

    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('menuitem', { name: 'Required when …' }).click()
    const rule = page.getByRole('group', { name: 'Required when …' })
    await rule.getByLabel('Field', { exact: true }).first().selectOption('image')
    await rule.getByLabel('Field', { exact: true }).nth(1).selectOption('available')
    await rule.getByLabel('Value').fill('true')

    await page.getByRole('button', { name: 'Code' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Listener', exact: true }).click()
    const code = await page.locator('pre.code').innerText()
    expect(code).toContain("import { configureSpace } from '@flatfile/plugin-space-configure'")
    expect(code).toContain('"validator": "rule:required-if"')
    await press('Escape')

    await page.reload()
    await row(page, 'SKU').waitFor()
    expect((await listNames(page)).slice(0, 2)).toEqual(['Name', 'SKU'])
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Use this workbook for every new space').check()
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.getByRole('heading', { name: '“Products” is ready' }).waitFor()

    const call = createCaller(account.secretKey)
    const { environmentId } = account
    const { id } = (await call('POST', '/spaces', { environmentId, name: 'Later', autoConfigure: true })).body.data
    const [workbook] = (await call('GET', `/workbooks?spaceId=${id}&includeSheets=true`)).body.data
    const { fields, constraints } = workbook.sheets[0].config
    expect(fields[0].key).toBe('name')
    expect(fields.at(-1)).toMatchObject({ key: 'color', config: { options: [{ value: 'Red' }, { value: 'Green' }] } })
    expect(constraints).toEqual([{ type: 'required-if', config: { field: 'image', when: '"available" eq "true"' } }])
    expect(workbook.actions[0].operation).toBe('submit-and-lock')
  }, 60_000)

  it('makes a workbook by hand, field by field, from a blank one', async () => {
    const account = await createTestAccount()
    const page = await openBuilder(account)
    await page.getByRole('button', { name: /^Blank workbook/ }).click()
    await page.getByRole('heading', { name: 'Fields', level: 1 }).waitFor()
    const addField = async (name: string, kind: string) => {
      const isNamed = (await listNames(page)).every((other) => other !== '')
      if (isNamed) await page.getByRole('button', { name: 'Add field' }).click()
      await page.locator('.field-name').last().fill(name)
      await row(page, name).getByLabel(`Type of ${name}`).selectOption(kind)
    }
    await addField('Name', 'text')
    await addField('Joined', 'date')
    await row(page, 'Name').getByLabel('Required').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Name of the space').fill('Members')
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.getByRole('heading', { name: '“Members” is ready' }).waitFor()
    const call = createCaller(account.secretKey)
    const [space] = (await call('GET', '/spaces')).body.data
    const [workbook] = (await call('GET', `/workbooks?spaceId=${space.id}&includeSheets=true`)).body.data
    expect(workbook.sheets[0].config.fields).toMatchObject([
      { key: 'name', label: 'Name', type: 'string', constraints: [{ type: 'required' }] },
      { key: 'joined', label: 'Joined', type: 'date' },
    ])
  }, 60_000)

  it('changes the fields of a sheet after it has said what changes', async () => {
    const account = await createTestAccount()
    const { call, space, sheet } = await mintSpace(account)
    await call('POST', `/sheets/${sheet.id}/records`, [
      { name: { value: 'Ada' }, age: { value: 36 } },
      { name: { value: 'Grace' }, age: { value: 85 } },
    ])
    const page = await newPage()
    await signInWithoutPage(page, account)
    await page.goto(`/console/${account.environmentId}/spaces/${space.id}`)
    await page.getByRole('link', { name: 'Edit fields' }).click()
    await page.getByRole('heading', { name: 'Edit fields', level: 1 }).waitFor()
    await page.getByText('All 2 rows fit these fields.').waitFor()
    await row(page, 'Status').getByRole('button', { name: 'Remove Status' }).click()
    await row(page, 'E-mail').getByLabel('Required').check()
    await row(page, 'Age').getByRole('button', { name: 'Move Age', exact: true }).dragTo(row(page, 'Name'))
    await waitUntil(async () => (await listNames(page)).join() === 'Age,Name,E-mail')
    await page.getByRole('button', { name: 'Review changes' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Removed: Status. Their values are no longer shown.').waitFor()
    await dialog.getByText('Changed: E-mail').waitFor()
    await dialog.getByText('2 of 2 rows would have errors.').waitFor()
    expect((await call('GET', `/sheets/${sheet.id}`)).body.data.config.fields).toHaveLength(4)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { fields } = (await call('GET', `/sheets/${sheet.id}`)).body.data.config
    expect(fields.map(({ key }: { key: string }) => key)).toEqual(['age', 'name', 'email'])
    await page.goto(`/s/${space.id}`)
    await page.getByText('2 with errors').first().waitFor()
  }, 60_000)

  it.each<[string, PageOptions]>([
    ['left to right', {}],
    ['from right to left, on a phone', { language: 'ar-EG', width: 390 }],
  ])(
    'has only plain texts, and nothing that axe-core finds in light or dark, on any of its steps: %s',
    { timeout: 120_000 },
    async (name, options) => {
      const account = await createTestAccount()
      const page = await openBuilder(account, options)
      const found: Record<string, string[]> = {}
      const check = async (step: string) => {
        const problems = await findViolations(page, { inBothSchemes: true })
        if (problems.length > 0) found[step] = problems
        const [scroll, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
        expect(scroll, step).toBeLessThanOrEqual(width!)
        if (process.env.SHOTS)
          await page.screenshot({ path: `${process.env.SHOTS}/builder-${name}-${step}.png`, fullPage: true })
      }
      await check('start')
      await chooseFile(page, 'customers.csv', `${SAMPLE}C-1;Lin;nowhere;1;New;?\n`)
      await page.locator('.field-row').first().waitFor({ timeout: 30_000 })
      await page.locator('.check-summary.bad').waitFor()
      await check('fields')
      await page.locator('.field-note.bad').first().click()
      await page.getByRole('dialog').waitFor()
      await check('details')
      await page.keyboard.press('Escape')
      await page.locator('.sheet-rules .button').last().click()
      await page.getByRole('menuitem').first().click()
      await check('rule')
      await page.locator('.rule-card > .button').click()
      await page.locator('.page-head .button').nth(1).click()
      await page.getByRole('dialog').waitFor()
      await check('code')
      await page.keyboard.press('Escape')
      await page.locator('.page-head .button.primary').click()
      await page.locator('.preview').waitFor()
      await check('branding')
      await page.locator('.page-head .button.primary').click()
      await page.locator('.done').waitFor()
      await check('done')
      expect(found).toEqual({})
    },
  )
})
