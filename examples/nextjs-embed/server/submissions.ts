import type { StreamedRecord } from '@wharf/sdk'
import { type Order, saveOrders } from './orders'
import { wharf } from './wharf'

/** Saves the valid records of a submission, and ends its job. An event that arrives twice finds the job ended. */
export async function handleSubmission(jobId: string, workbookId: string): Promise<void> {
  const job = await wharf.jobs.get(jobId)
  if (job.operation !== 'submit' || (job.status !== 'ready' && job.status !== 'executing')) return
  if (job.status === 'ready') await wharf.jobs.acknowledge(jobId, { info: 'Saving the orders' })
  const { sheets = [] } = await wharf.workbooks.get(workbookId)
  const orders: Order[] = []
  for await (const record of wharf.records.stream(sheets[0]!.id, { filter: 'valid' })) orders.push(toOrder(record))
  await saveOrders(orders)
  await wharf.jobs.complete(jobId, { outcome: { message: `${orders.length} orders are saved.` } })
}

const toOrder = ({ values }: StreamedRecord): Order => ({
  number: String(values.number),
  customer: String(values.customer),
  date: (values.date as string | null) ?? null,
  amount: Number(values.amount),
})
