/** Hands mails to SES, as plain text. */
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { clientDefaults } from '../core/cloud.ts'

const ses = new SESv2Client(clientDefaults())

interface Mail {
  from: string
  to: string
  subject: string
  text: string
}

/** @throws Error when SES did not take it */
export async function deliver({ from, to, subject, text }: Mail): Promise<void> {
  const data = (Data: string) => ({ Data, Charset: 'UTF-8' })
  await ses.send(
    new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: data(subject), Body: { Text: data(text) } } },
    }),
  )
}
