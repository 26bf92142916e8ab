import type { Page } from 'playwright-core'
import { it } from 'vitest'
import {
  createTestAccount,
  inBrowser,
  mintSpace,
  newPage,
  signInWithoutPage,
  type TestAccount,
  withBrowser,
} from '../browser.ts'
import { chooseFile } from '../guest.ts'
import { useCamera } from './camera.ts'
import { newAddress, RECORDS } from './people.ts'

const CHAPTERS = ['London', 'Berlin', 'Lima']
const SAMPLE = `Member no;full_name;E-mail;Age;State;Joined;Chapter
${RECORDS.map(({ name, email, age, status }, at) =>
  [`M-${1000 + at}`, name, email, age, status, `${10 + (at % 19)}.0${1 + (at % 9)}.2019`, CHAPTERS[at % 3]].join(';'),
).join('\n')}
`

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function openConsole(account: TestAccount, path: string): Promise<Page> {
  const page = await newPage()
  await signInWithoutPage(page, account)
  await page.goto(`/console/${account.environmentId}/${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

inBrowser('the images of the builder', () => {
  withBrowser()
  const { take, expectAllTaken } = useCamera('builder')

  it('show its steps', async () => {
    const page = await openConsole(
      await createTestAccount({ userName: 'Ada Lovelace', email: newAddress() }),
      'builder',
    )
    await take(page, 'console-builder')
    await chooseFile(page, 'members.csv', SAMPLE)
    await page.getByRole('heading', { name: 'Fields', level: 1 }).waitFor({ timeout: 30_000 })
    await page.locator('.check-summary').first().waitFor()
    await take(page, 'builder-fields')
    await button(page, 'Details of Age (years)').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('menuitem', { name: 'Smallest and largest value' }).click()
    await page.getByLabel('At least').fill('18')
    await page.getByLabel('At most').fill('60')
    await page.getByRole('dialog').getByText('would be errors').waitFor()
    await take(page, 'builder-field')
    await page.keyboard.press('Escape')
    await button(page, 'Code').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Listener', exact: true }).click()
    await page.locator('pre.code').waitFor()
    await take(page, 'builder-code')
    await page.keyboard.press('Escape')
    await button(page, 'Continue').click()
    await page.getByLabel('Name of the space').fill('Members of London')
    await page.getByLabel('Welcome text').fill('Send us your members by the end of March.')
    await page.getByLabel('Brand color').fill('#0f766e')
    await take(page, 'builder-space')
    await button(page, 'Create space').click()
    await page.getByRole('heading', { name: /is ready/ }).waitFor()
    await page.getByLabel('Invite guests').fill('grace.hopper@example.com, alan.turing@example.com')
    await take(page, 'builder-done')
  })

  it('show a change of fields', async () => {
    const account = await createTestAccount({ userName: 'Ada Lovelace', email: newAddress() })
    const { call, space, sheet } = await mintSpace(account)
    await call('POST', `/sheets/${sheet.id}/records`, RECORDS)
    const page = await openConsole(account, `builder?space=${space.id}`)
    await page.locator('.check-summary').first().waitFor()
    await take(page, 'builder-edit')
    await button(page, 'Remove Status').click()
    await page.getByLabel('Required').nth(1).check()
    await button(page, 'Review changes').click()
    await page.getByRole('dialog').getByText('rows would have errors').waitFor()
    await take(page, 'builder-changes')
  })

  it('show all that the list has', () => expectAllTaken())
})
