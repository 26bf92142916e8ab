import { Wharf } from '@wharf/sdk'
import { CRM_WORKBOOK, SPACE_NAME } from './blueprint.ts'

export const wharf = new Wharf({ token: process.env.KEY!, baseUrl: process.env.URL! })

export async function findOrCreateWorkbook() {
  const { data: spaces } = await wharf.spaces.list({ search: SPACE_NAME })
  const space = spaces.find(({ name }) => name === SPACE_NAME) ?? (await wharf.spaces.create({ name: SPACE_NAME }))
  const [found] = await wharf.workbooks.list({ spaceId: space.id, name: CRM_WORKBOOK.name })
  return found ?? wharf.workbooks.create({ ...CRM_WORKBOOK, spaceId: space.id })
}

export async function printErrors(): Promise<void> {
  const { sheets = [] } = await findOrCreateWorkbook()
  for (const { id, name } of sheets)
    for await (const { fieldKey, message, count, examples } of wharf.quality.groupsAll(id))
      console.log(`${name}: ${count} x ${fieldKey} ${JSON.stringify(examples[0]?.value)}: ${message}`)
}
