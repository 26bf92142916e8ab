/**
 * SES, as far as handing over a mail goes: what would leave is kept in a local mailbox, one JSON file a mail. Read at
 * `GET /_aws/ses`, as LocalStack has it.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { readBody } from './request-body.ts'
import { REGION, type Service } from './service.ts'

export const MAILBOX = '/_aws/ses'
const SEND = '/v2/email/outbound-emails'
/** SES takes mails of 40 MB. */
const BODY_BYTES = 40 * 1024 * 1024

interface SendEmail {
  FromEmailAddress?: string
  Destination?: { ToAddresses?: string[] }
  Content?: { Simple?: { Subject?: { Data?: string }; Body?: { Text?: { Data?: string }; Html?: { Data?: string } } } }
}

export const isForSes = (path: string): boolean => path.startsWith('/v2/email/')

export function ses({ folder }: { folder: string }): Service {
  mkdirSync(folder, { recursive: true })
  return {
    async handle(req, res) {
      const path = req.url!.split('?')[0]
      if (req.method === 'GET' && path === MAILBOX) answer(res, 200, { messages: mailbox(folder) })
      else if (req.method === 'POST' && path === SEND) {
        const MessageId = keep(folder, await readJson(req))
        if (MessageId) answer(res, 200, { MessageId })
        else refuse(res, 'A mail has FromEmailAddress, Destination and Content.Simple here.')
      } else refuse(res, 'The embedded cloud sends mails, and does nothing else of SES.')
    },
    close: async () => {},
  }
}

const mailbox = (folder: string): unknown[] =>
  readdirSync(folder)
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))

/** @returns its id, or undefined for what is no mail */
function keep(folder: string, mail: SendEmail | undefined): string | undefined {
  const { FromEmailAddress, Destination, Content } = mail ?? {}
  const { Subject, Body } = Content?.Simple ?? {}
  if (!FromEmailAddress || !Destination?.ToAddresses?.every((to) => to.includes('@')) || !Subject?.Data || !Body)
    return undefined
  const Id = randomUUID()
  const Timestamp = new Date().toISOString()
  const kept = {
    Id,
    Region: REGION,
    Timestamp,
    Source: FromEmailAddress,
    Destination,
    Subject: Subject.Data,
    Body: { text_part: Body.Text?.Data ?? null, html_part: Body.Html?.Data ?? null },
  }
  writeFileSync(join(folder, `${Timestamp.replaceAll(':', '-')}-${Id}.json`), JSON.stringify(kept, null, 2), {
    mode: 0o600,
  })
  return Id
}

async function readJson(req: IncomingMessage): Promise<SendEmail | undefined> {
  try {
    return JSON.parse(String(await readBody(req, BODY_BYTES))) as SendEmail
  } catch {
    return undefined
  }
}

const refuse = (res: ServerResponse, message: string) => answer(res, 400, { message })

function answer(res: ServerResponse, status: number, body: object): void {
  const type = status === 200 ? {} : { 'x-amzn-errortype': 'BadRequestException' }
  res.writeHead(status, { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID(), ...type })
  res.end(JSON.stringify(body))
}
