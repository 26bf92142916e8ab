import { Webhook } from 'standardwebhooks'
import { handleSubmission } from '../../../../server/submissions'

interface JobEvent {
  context: { jobId: string; workbookId?: string }
}

/** The platform sends an event again until the reply is a success. */
export async function POST(request: Request): Promise<Response> {
  const body = await request.text()
  let event: JobEvent
  try {
    event = new Webhook(process.env.WEBHOOK_SECRET!).verify(body, Object.fromEntries(request.headers)) as JobEvent
  } catch {
    return new Response(null, { status: 401 })
  }
  const { jobId, workbookId } = event.context
  if (workbookId) await handleSubmission(jobId, workbookId)
  return new Response(null, { status: 204 })
}
