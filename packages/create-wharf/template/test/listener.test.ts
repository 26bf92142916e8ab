import { startPlatform, type TestPlatform } from '@wharf/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import listener from '../src/listener.ts'

let platform: TestPlatform

beforeAll(async () => {
  platform = await startPlatform()
  await platform.mount(listener)
}, 60_000)
afterAll(() => platform?.stop())

it('corrects email addresses and reports invalid ones', async () => {
  const space = await platform.configureSpace()
  const sheetId = space.getSheetId('contacts')
  await platform.insert(sheetId, [{ email: ' Ada@Example.com ' }, { email: 'nobody' }])

  const [ada, nobody] = await platform.read(sheetId)
  expect(ada!.values.email).toBe('ada@example.com')
  expect(nobody!.messages.email).toMatchObject([{ message: 'This is not an email address.' }])
}, 30_000)
