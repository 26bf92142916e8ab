/** SES: SendEmail returns an id or rejects the email. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientConfig, conformanceTarget, type Target } from '../../../test/support/conformance.ts'
import { createSes } from '../src/ses.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-ses-'))
let target: Target
let client: SESv2Client

beforeAll(async () => {
  target = await conformanceTarget(() => createSes({ folder }))
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
  it('returns a unique id for each email', async () => {
    const ids = [
      await client.send(mail(['ada@example.com'], 'one')),
      await client.send(mail(['ada@example.com'], 'two')),
    ]
    const [one, other] = ids.map(({ MessageId }) => MessageId)
    expect(one).toMatch(/./)
    expect(other).not.toBe(one)
  })

  it('rejects an invalid address', async () => {
    await expect(client.send(mail(['nobody'], 'text'))).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
  })

  it('rejects an email without a body', async () => {
    await expect(client.send(mail(['ada@example.com']))).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
  })
})
