import { createListener } from '@wharf/listener'
import { recordHook } from '@wharf/record-hook'
import { contacts } from './workbook.ts'

export default createListener((on) => {
  on.job('space:configure', async (job) => {
    const { spaceId } = job.context
    if (!spaceId) throw new Error('The job has no space.')
    await job.wharf.workbooks.create({ ...contacts, spaceId })
    return 'The space is ready.'
  })

  on.use(
    recordHook('contacts', (record) => {
      record.computeIfPresent('email', (email) => String(email).trim().toLowerCase())
      record.validate('email', (email) => /^\S+@\S+$/.test(String(email)), 'This is not an email address.')
    }),
  )

  on.job('workbook:submit', async (job) => {
    const sheets = await job.wharf.sheets.list({ workbookId: job.context.workbookId! })
    let count = 0
    for (const sheet of sheets) {
      // Send the records to your system here.
      for await (const _record of job.wharf.records.stream(sheet.id, { filter: 'valid' })) count++
      await job.progress(50, `${sheet.name}: ${count} records`)
    }
    return `${count} records were submitted.`
  })
})
