/** SES: a mail is taken with an id, or refused. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ses } from '../../localstack/cloud/ses.ts'
import { clientConfig, conformanceTarget, type Target } from '../support/conformance.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-ses-'))
let target: Target
let client: SESv2Client

beforeAll(async () => {
  target = await conformanceTarget(() => ses({ folder }))
  client = new SESv2Client(clientConfig(target.endpoint))
})
afterAll(async () => {
  client.destroy()
  await target.close()
  rmSync(folder, { recursive: true, force: true })
})

const mail = (to: string[], text?: string) =>
  new SendEmailCommand({
    FromEmailAddress: 'wharf@example.com',
    Destination: { ToAddresses: to },
    Content: { Simple: { Subject: { Data: 'Your link' }, Body: text ? { Text: { Data: text } } : undefined } },
  })

describe('SendEmail', () => {
  it('answers with an id, another one for each mail', async () => {
    const ids = [
      await client.send(mail(['ada@example.com'], 'one')),
      await client.send(mail(['ada@example.com'], 'two')),
    ]
    const [one, other] = ids.map(({ MessageId }) => MessageId)
    expect(one).toMatch(/./)
    expect(other).not.toBe(one)
  })

  it('refuses an address that is not one', async () => {
    await expect(client.send(mail(['nobody'], 'text'))).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
  })

  it('refuses a mail without a body', async () => {
    await expect(client.send(mail(['ada@example.com']))).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
  })
})
