/** SES for sending mails: stores them in a local mailbox, which `GET /_aws/ses` returns like LocalStack. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { readBody } from './request-body.ts'
import { REGION, type Service } from './service.ts'

export const MAILBOX = '/_aws/ses'
const SEND = '/v2/email/outbound-emails'
/** SES accepts mails of up to 40 MB. */
const MAX_BODY_BYTES = 40 * 1024 * 1024

interface SendEmail {
  FromEmailAddress?: string
  Destination?: { ToAddresses?: string[] }
  Content?: { Simple?: { Subject?: { Data?: string }; Body?: { Text?: { Data?: string }; Html?: { Data?: string } } } }
}

export const isSesPath = (path: string): boolean => path.startsWith('/v2/email/')

export function createSes({ folder }: { folder: string }): Service {
  mkdirSync(folder, { recursive: true })
  return {
    async handle(req, res) {
      const path = req.url!.split('?')[0]
      if (req.method === 'GET' && path === MAILBOX) sendJson(res, 200, { messages: readMailbox(folder) })
      else if (req.method === 'POST' && path === SEND) {
        const MessageId = storeMail(folder, await readJson(req))
        if (MessageId) sendJson(res, 200, { MessageId })
        else sendError(res, 'A mail needs FromEmailAddress, Destination and Content.Simple.')
      } else sendError(res, 'The embedded SES only supports sending mails.')
    },
    close: async () => {},
  }
}

const readMailbox = (folder: string): unknown[] =>
  readdirSync(folder)
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))

function storeMail(folder: string, mail: SendEmail | undefined): string | undefined {
  const { FromEmailAddress, Destination, Content } = mail ?? {}
  const { Subject, Body } = Content?.Simple ?? {}
  if (!FromEmailAddress || !Destination?.ToAddresses?.every((to) => to.includes('@')) || !Subject?.Data || !Body)
    return undefined
  const Id = randomUUID()
  const Timestamp = new Date().toISOString()
  const storedMail = {
    Id,
    Region: REGION,
    Timestamp,
    Source: FromEmailAddress,
    Destination,
    Subject: Subject.Data,
    Body: { text_part: Body.Text?.Data ?? null, html_part: Body.Html?.Data ?? null },
  }
  writeFileSync(join(folder, `${Timestamp.replaceAll(':', '-')}-${Id}.json`), JSON.stringify(storedMail, null, 2), {
    mode: 0o600,
  })
  return Id
}

async function readJson(req: IncomingMessage): Promise<SendEmail | undefined> {
  try {
    return JSON.parse(String(await readBody(req, MAX_BODY_BYTES))) as SendEmail
  } catch {
    return undefined
  }
}

const sendError = (res: ServerResponse, message: string) => sendJson(res, 400, { message })

function sendJson(res: ServerResponse, status: number, body: object): void {
  const type = status === 200 ? {} : { 'x-amzn-errortype': 'BadRequestException' }
  res.writeHead(status, { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID(), ...type })
  res.end(JSON.stringify(body))
}
