/** Runs on the platform: sends the valid records of a workbook to the CRM when a job of the action is ready. */
import { type StreamedRecord, Wharf } from '@wharf/sdk'
import { KEY_FIELDS, SEND_OPERATION } from './blueprint.ts'

interface JobEvent {
  context: { environmentId: string; jobId: string; workbookId: string }
}

export async function routeEvent({ context: { environmentId, jobId, workbookId } }: JobEvent): Promise<void> {
  const wharf = new Wharf({ token: process.env.FLATFILE_API_KEY!, baseUrl: process.env.FLATFILE_API_URL! })
  const job = await wharf.jobs.get(jobId)
  if (job.operation !== SEND_OPERATION || job.status !== 'ready') return
  await wharf.jobs.acknowledge(jobId, { info: 'Sending to the CRM' })
  try {
    const message = await sendWorkbook(wharf, workbookId, await readSecrets(wharf, environmentId))
    await wharf.jobs.complete(jobId, { outcome: { acknowledge: true, message } })
  } catch (error) {
    await wharf.jobs.fail(jobId, { outcome: { acknowledge: true, message: (error as Error).message } })
  }
}

async function readSecrets(wharf: Wharf, environmentId: string): Promise<Record<string, string>> {
  const secrets = await wharf.secrets.list({ environmentId })
  return Object.fromEntries(secrets.map(({ name, value }) => [name, value]))
}

async function sendWorkbook(wharf: Wharf, workbookId: string, secrets: Record<string, string>): Promise<string> {
  const { sheets = [] } = await wharf.workbooks.get(workbookId)
  const counts: string[] = []
  for (const { id, name, slug } of sheets) {
    let count = 0
    for await (const record of wharf.records.stream(id, { filter: 'valid' })) {
      await sendRecord(slug!, record, secrets)
      count++
    }
    counts.push(`${count} ${name.toLowerCase()}`)
  }
  return `Sent ${counts.join(' and ')} to the CRM.`
}

/** A PUT by key can be repeated, so an event that arrives twice creates no second record. */
async function sendRecord(slug: string, { values }: StreamedRecord, secrets: Record<string, string>): Promise<void> {
  const key = encodeURIComponent(String(values[KEY_FIELDS[slug]!]))
  const response = await fetch(`${secrets.CRM_URL}/${slug}/${key}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${secrets.CRM_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(values),
  })
  if (!response.ok) throw new Error(`The CRM refused ${slug} ${key}: ${response.status} ${await response.text()}`)
}
