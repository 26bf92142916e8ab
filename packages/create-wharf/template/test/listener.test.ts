import { Wharf } from '@wharf/sdk'
import { expect, it } from 'vitest'
import listener from '../src/listener.ts'
import { contacts } from '../src/workbook.ts'

process.loadEnvFile('.env')
const { WHARF_URL, WHARF_TOKEN } = process.env
const wharf = new Wharf({ baseUrl: WHARF_URL!, token: WHARF_TOKEN! })

it('corrects email addresses and reports invalid ones', async () => {
  const space = await wharf.spaces.create({ name: 'Test of my-import' })
  try {
    const workbook = await wharf.workbooks.create({ ...contacts, spaceId: space.id })
    const sheetId = workbook.sheets![0]!.id
    await wharf.records.insert(sheetId, [{ email: ' Ada@Example.com ' }, { email: 'nobody' }])
    const events = await wharf.events.list({ spaceId: space.id, topic: 'commit:created' })
    for (const event of events) await listener.dispatchEvent(event as Parameters<typeof listener.dispatchEvent>[0])

    const { records } = await wharf.records.list(sheetId)
    expect(records[0]!.values.email).toMatchObject({ value: 'ada@example.com', valid: true })
    expect(records[1]!.values.email!.messages).toMatchObject([{ message: 'This is not an email address.' }])
  } finally {
    await wharf.spaces.remove(space.id)
  }
})
