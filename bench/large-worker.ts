import type { Context } from 'aws-lambda'
import { handler } from '../functions/system/run-job.ts'

const context = { getRemainingTimeInMillis: () => 900_000 } as Context

process.on('message', async ({ id, payload }: { id: number; payload: Parameters<typeof handler>[0] }) => {
  const result = await handler(payload, context)
  process.send!({ id, result })
})
