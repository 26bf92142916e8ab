import { it } from 'vitest'
import { inBrowser, withBrowser } from '../browser.ts'
import { withComponents } from '../components/open.ts'
import { addRecords, elementPage, getFrame, newShopAccount, withShop } from '../shop.ts'
import { useCamera } from './camera.ts'
import { RECORDS } from './people.ts'

inBrowser('the images of the importer', () => {
  withBrowser()
  const shop = withShop()
  const { take, expectAllTaken } = useCamera('embed')

  it('show it as a wizard, and with all pages', async () => {
    for (const [name, attributes] of [
      ['importer', 'mode="wizard"'],
      ['importer-full', ''],
    ] as const) {
      const { account, call } = await newShopAccount()
      const page = await shop.open(elementPage(account.publishableKey, attributes))
      await page.getByRole('button', { name: 'Import' }).click()
      await addRecords(call, RECORDS)
      await getFrame(page).getByRole('button', { name: 'Show errors' }).waitFor()
      await take(page, name)
    }
  })

  it('show all that the list has', () => expectAllTaken())
})

inBrowser('the images of all components', () => {
  withBrowser()
  const openComponents = withComponents()
  const { take, expectAllTaken } = useCamera('components')

  it('show them in light and dark', async () => {
    for (const name of ['components', 'components-dark'])
      await take(await openComponents({ dark: name.endsWith('dark') }), name, { fullPage: true, isComplete: false })
  })

  it('show all that the list has', () => expectAllTaken())
})
