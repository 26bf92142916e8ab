import type { Page } from 'playwright-core'
import { it } from 'vitest'
import {
  createCaller,
  createTestAccount,
  inBrowser,
  mintSpace,
  newPage,
  signInWithoutPage,
  waitUntil,
  withBrowser,
} from '../browser.ts'
import { chooseFile, clickCell, editCell, enterAsGuest, newGuestPage, openSheet } from '../guest.ts'
import { useCamera } from './camera.ts'
import { CSV, RECORDS, toEmail } from './people.ts'

const BY_LINK = { guestAuthentication: 'magic_link' }
const TITLED = `Members of the spring school\nPerson,Contact,Years,Standing\nFull name,E-mail,Age,Status
${RECORDS.map((one) => Object.values(one).join(',')).join('\n')}\n`
const ORDERS = [
  { key: 'customer', label: 'Customer', type: 'string', constraints: [{ type: 'required' }] },
  { key: 'ordered', label: 'Order date', type: 'date' },
  { key: 'amount', label: 'Amount', type: 'number' },
  { key: 'paid', label: 'Paid', type: 'boolean' },
]
const ORDERS_CSV = `Customer,Order date,Amount,Paid
Harbor Supplies,01/02/2021,120.50,yes
North Sea Shipping,03/04/2021,88.00,no
Lighthouse Books,07/05/2021,1290.00,yes
`
const DOCUMENT = `## Before you start

1. Export the members of your chapter as **CSV or Excel**.
2. Drop the file on the overview. Nothing is sent before you submit.
3. Correct what is red, and submit.

| Field | Example | Needed |
|---|---|---|
| Name | Ada Lovelace | yes |
| E-mail | ada@example.com | unique |
| Status | Active | no |

Questions? Write to [the office](https://example.com/help).`
const SUBMIT = {
  operation: 'submitMembers',
  label: 'Submit',
  description: 'The office is notified, and your rows can no longer be changed.',
  mode: 'foreground',
  primary: true,
  inputForm: {
    type: 'simple',
    fields: [
      { key: 'chapter', label: 'Chapter', type: 'string', constraints: [{ type: 'required' }] },
      { key: 'note', label: 'Note to the office', type: 'textarea' },
      { key: 'copy', label: 'Mail me a copy', type: 'boolean' },
    ],
  },
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

async function closePanel(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function addGuests({ account, call, space }: Awaited<ReturnType<typeof newSpace>>, names: string[]) {
  const { environmentId } = account
  const guests = names.map((name) => ({ environmentId, name, email: toEmail(name), spaces: [{ id: space.id }] }))
  return (await call('POST', '/guests', guests)).body.data as { id: string; email: string }[]
}

async function newSpace(more: object = { guestAuthentication: 'shared_link' }) {
  const account = await createTestAccount()
  return { account, ...(await mintSpace(account, 'Spring import', more)) }
}

inBrowser('the images of a space', () => {
  withBrowser()
  const { take, expectAllTaken } = useCamera('guest')

  it('show the ways in', async () => {
    const made = await newSpace(BY_LINK)
    const { call, space } = made
    const [guest, other] = await addGuests(made, ['Grace Hopper', 'Alan Turing'])
    const mailLink = async (guestId: string) => {
      await call('POST', '/invitations', [{ guestId, spaceId: space.id }])
      return /\S+\/s\/\S+/.exec((await call('GET', '/invitations')).body.data[0].text)![0]
    }
    const page = await newPage()
    await page.goto(`/s/${space.id}`)
    await page.getByLabel('Email address').fill(guest!.email)
    await take(page, 'sign-in-guest')
    await button(page, 'Send me a link').click()
    await page.getByText('has access').waitFor()
    await take(page, 'link-sent')
    const link = await mailLink(guest!.id)
    await page.goto(link)
    await page.getByRole('heading', { name: 'Spring import' }).waitFor()
    const late = await newPage()
    await late.goto(link)
    await late.getByText('expired').waitFor()
    await take(late, 'link-expired')
    await page.goto('/nothing')
    await page.goto(await mailLink(other!.id))
    await button(page, /^Continue as/).waitFor()
    await take(page, 'signed-in-already')
    const shared = await newSpace()
    await late.goto((await shared.call('GET', `/spaces/${shared.space.id}`)).body.data.guestLink)
    await late.getByLabel('Email address').fill(guest!.email)
    await take(late, 'link-shared')
  })

  it('show the choice of a space', async () => {
    const made = await newSpace(BY_LINK)
    const { account, call, space } = made
    const { environmentId } = account
    const spaces = [{ id: space.id }]
    for (const chapter of ['Berlin', 'Cairo', 'Lima', 'London', 'Madrid', 'Oslo', 'Paris', 'Rome', 'Tokyo'])
      spaces.push((await call('POST', '/spaces', { name: `${chapter} chapter`, environmentId, ...BY_LINK })).body.data)
    const email = 'grace@example.com'
    const guest = { environmentId, email, name: 'Grace Hopper', spaces: spaces.map(({ id }) => ({ id })) }
    const { id } = (await call('POST', '/guests', [guest])).body.data[0]
    const { token } = (await call('GET', `/guests/${id}/token`)).body.data
    const session = JSON.stringify({ token, kind: 'guest', email, expiresAt: Date.now() + 3_000_000 })
    const page = await newPage()
    await page.addInitScript(`sessionStorage.setItem('wharf.session', ${JSON.stringify(session)})`)
    await page.goto(`/s/${space.id}`)
    await page.locator('.space-choice button').click()
    await page.getByRole('option').nth(9).waitFor()
    await take(page, 'space-choice')
  })

  it('show the pages of a space', async () => {
    const made = await newSpace()
    const { call, space, sheet } = made
    const [alan] = await addGuests(made, ['Alan Turing', 'Barbara Liskov'])
    const document = { title: 'How to send your members', body: DOCUMENT }
    const { id: documentId } = (await call('POST', `/spaces/${space.id}/documents`, document)).body.data
    const { records } = (await call('POST', `/sheets/${sheet.id}/records`, RECORDS)).body.data
    const page = await enterAsGuest(made, 'Grace')
    await chooseFile(page, 'members of april.csv', CSV)
    await page.locator('.file-row').waitFor()
    await chooseFile(page, 'people.csv', CSV)
    await page.getByRole('region', { name: '“people.csv” is ready' }).waitFor({ timeout: 30_000 })
    const open = async (path: string) => {
      await page.goto(`/s/${space.id}${path}`)
      await page.locator('main h1').first().waitFor({ timeout: 30_000 })
      await page.locator('.dot.on').waitFor()
    }
    await open('')
    await take(page, 'overview')
    await open('/files')
    await take(page, 'files')
    await open('')
    await button(page, 'Match columns').click()
    await page.getByText(/records will be imported/).waitFor()
    await take(page, 'mapping')
    await page.getByText('2 of 3 values matched').click()
    await page.getByLabel('Value for paused').selectOption('active')
    await page.getByText('13 values will be errors').waitFor({ state: 'detached' })
    await take(page, 'mapping-values')
    await open(`/documents/${documentId}`)
    await take(page, 'document')
    await open(`/sheets/${sheet.id}`)
    await page.getByTestId('data-grid-canvas').waitFor()
    await take(page, 'sheet')
    await page.emulateMedia({ colorScheme: 'dark' })
    await take(page, 'dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 390, height: 800 })
    await take(page, 'phone')
    await page.setViewportSize({ width: 1280, height: 800 })
    const { token } = (await call('GET', `/guests/${alan!.id}/token`)).body.data
    const changes = records.slice(5, 7).map(({ id }: { id: string }) => ({ id, values: { age: { value: 41 } } }))
    await createCaller(token)('PUT', `/sheets/${sheet.id}/records`, changes)
    await call('DELETE', `/sheets/${sheet.id}/records?ids=${records[8].id}`)
    await openSheet(page, made, 'Ada Lovelace')
    await editCell(page, 0, 0, 'Augusta Ada Lovelace')
    await open('/activity')
    await page.getByText('Alan Turing').first().waitFor()
    await take(page, 'activity')
    await page.evaluate("localStorage.setItem('wharf.language', 'ar')")
    await open('')
    await take(page, 'arabic')
  })

  it('show how a file is read and matched', async () => {
    const made = await newGuestPage()
    const { page, call, space, account } = made
    await page.getByRole('heading', { name: 'What we need' }).waitFor()
    await take(page, 'welcome')
    await button(page, 'Paste a table').click()
    const rows = RECORDS.slice(0, 8).map((one) => Object.values(one).join('\t'))
    await page
      .getByRole('dialog')
      .getByLabel('Table')
      .fill(['Name\tE-mail\tAge\tStatus', ...rows].join('\n'))
    await take(page, 'paste')
    await page.keyboard.press('Escape')
    await chooseFile(page, 'members.csv', TITLED)
    await button(page, 'File options: members.csv').click({ timeout: 30_000 })
    await page.getByLabel('Row 3: Full name, E-mail, Age, Status').check()
    await take(page, 'header-row')
    const { environmentId } = account
    const sheets = [{ name: 'Orders', slug: 'orders', fields: ORDERS }]
    await call('POST', '/workbooks', { spaceId: space.id, environmentId, name: 'Orders', sheets })
    await page.goto(`/s/${space.id}/files`)
    await chooseFile(page, 'orders.csv', ORDERS_CSV)
    const file = page.locator('.file-row').filter({ hasText: 'orders.csv' })
    await file.getByRole('button', { name: 'Import…' }).click({ timeout: 30_000 })
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Into').selectOption({ label: 'Orders · Orders' })
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('group', { name: /How should we read the dates/ }).waitFor()
    await page.getByText(/records will be imported/).waitFor()
    await take(page, 'mapping-questions')
  })

  it('show the panels of a sheet', async () => {
    const made = await newSpace()
    const { call, sheet } = made
    const { records } = (await call('POST', `/sheets/${sheet.id}/records`, RECORDS)).body.data
    await call('POST', '/snapshots', { sheetId: sheet.id, label: 'Before the corrections' })
    await call('POST', '/views', { sheetId: sheet.id, name: 'What is wrong', config: { filter: 'error' } })
    await call('PUT', `/sheets/${sheet.id}/records`, [{ id: records[0].id, values: { age: { value: 36 } } }])
    const comments = `/sheets/${sheet.id}/comments`
    await call('POST', comments, { recordId: records[0].id, text: 'Is this the name in her passport?' })
    const page = await enterAsGuest(made, 'Grace')
    await openSheet(page, made, 'Ada Lovelace')
    await button(page, 'Review errors').click()
    await button(page, /^Fix…: Age/)
      .first()
      .click()
    await page
      .getByRole('button', { name: /^Fix \d+ record/ })
      .first()
      .waitFor()
    await take(page, 'review')
    await closePanel(page)
    await editCell(page, 0, 0, 'Augusta Ada Lovelace')
    await clickCell(page, 0, 0)
    const openPanel = async (item: string, panel: string) => {
      await clickCell(page, 0, 0, 'right')
      await page.getByRole('menuitem', { name: item }).click()
      await page.getByRole('dialog', { name: panel }).waitFor()
    }
    await openPanel('Record history', 'Record history')
    await page.getByRole('dialog').getByText('added the row').waitFor()
    await take(page, 'history')
    await closePanel(page)
    await openPanel('Comment', 'Comments')
    await page.getByLabel('Comment', { exact: true }).fill('Yes, I have seen it.')
    await button(page, 'Add comment').click()
    await page.getByText('Yes, I have seen it.').first().waitFor()
    await take(page, 'comments')
    await closePanel(page)
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: 'Find and replace' }).click()
    await page.getByRole('dialog').getByLabel('Field').selectOption('email')
    await page.getByLabel('Find', { exact: true }).fill('example.com')
    await page.getByLabel('Replace with').fill('example.org')
    await button(page, /^Replace in \d+/).waitFor()
    await page.getByText('example.org').first().waitFor()
    await take(page, 'replace')
    await closePanel(page)
    await button(page, /^View/).click()
    await page.getByRole('dialog').getByText('What is wrong').first().waitFor()
    await take(page, 'view')
    await closePanel(page)
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: 'Snapshots' }).click()
    await page.getByText('Before the corrections').waitFor()
    await take(page, 'snapshots')
  })

  it('show a clip', async () => {
    const { account, call, sheet, space } = await newSpace()
    const { records } = (await call('POST', `/sheets/${sheet.id}/records`, RECORDS)).body.data
    const clip = (await call('POST', '/data-clips', { name: 'For the Berlin office', sourceSheetId: sheet.id })).body
    const recordIds = records.slice(0, 12).map(({ id }: { id: string }) => id)
    await call('POST', `/data-clips/${clip.id}/add-records`, { recordIds })
    const copies = (await call('GET', `/sheets/${clip.clipSheetId}/records`)).body.data.records
    const change = (sheetId: string, id: string, name: string) =>
      call('PUT', `/sheets/${sheetId}/records`, [{ id, values: { name: { value: name } } }])
    await change(clip.clipSheetId, copies[0].id, 'Ada King')
    await change(clip.clipSheetId, copies[2].id, 'Grace Murray Hopper')
    await change(sheet.id, records[0].id, 'Augusta Ada Lovelace')
    const page = await newPage()
    await signInWithoutPage(page, account)
    await openSheet(page, { space, sheet: { id: clip.clipSheetId } }, 'Ada King')
    await page.getByText('Unresolved: 1').waitFor()
    await take(page, 'clip')
    await button(page, 'Compare with source').click()
    await page.getByText('2 records differ').waitFor()
    await take(page, 'clip-review')
  })

  it('show a submission', async () => {
    const made = await newGuestPage({ actions: [SUBMIT] })
    const { page, call, space, sheet } = made
    const valid = RECORDS.filter(({ name, age, status }) => name && typeof age === 'number' && status !== 'paused')
    await call('POST', `/sheets/${sheet.id}/records`, valid)
    await page.reload()
    await button(page, 'Submit').first().click()
    await page.getByLabel('Chapter *').fill('London')
    await page.getByLabel('Note to the office').fill('Two members moved to Paris.')
    await take(page, 'action-form')
    await button(page, 'Continue').click()
    const job = await waitUntil(async () => (await call('GET', `/jobs?spaceId=${space.id}&status=ready`)).body.data[0])
    await call('POST', `/jobs/${job.id}/ack`, {})
    const next = { type: 'url', url: 'https://example.com/members', label: 'See all members' }
    const outcome = { heading: 'Thank you, London', message: `The office has your ${valid.length} members.`, next }
    await call('POST', `/jobs/${job.id}/complete`, { outcome })
    await page.getByRole('heading', { name: 'Thank you, London' }).waitFor()
    await take(page, 'outcome')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('region', { name: 'Submitted' }).waitFor()
    await take(page, 'submitted')
  })

  it('show all that the list has', () => expectAllTaken())
})
