import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { createClient } from '../core/aws-client.ts'

const ses = createClient(SESv2Client)

interface Mail {
  from: string
  to: string
  subject: string
  text: string
}

export async function deliver({ from, to, subject, text }: Mail): Promise<void> {
  const toContent = (Data: string) => ({ Data, Charset: 'UTF-8' })
  await ses.send(
    new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: toContent(subject), Body: { Text: toContent(text) } } },
    }),
  )
}
