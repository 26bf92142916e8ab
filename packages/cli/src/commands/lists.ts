/** Commands that list resources, to find the ids that other commands need. */
import type { Command } from 'commander'
import { createClient } from '../client.ts'
import { type OutputOptions, printRows } from '../output.ts'

export function addLists(program: Command): void {
  program
    .command('spaces')
    .description('List spaces, newest first')
    .option('--search <text>', 'only spaces with this text in their name')
    .option('--json', 'print JSON')
    .action(async ({ search, ...options }: OutputOptions & { search?: string }) => {
      const { data } = await createClient().spaces.list({ search, pageSize: 100 })
      printRows(
        data.map(({ id, name, environmentId, createdAt }) => ({ id, name, environmentId, createdAt })),
        options,
      )
    })
  program
    .command('sheets')
    .description('List the sheets of a space, with their number of records')
    .argument('<space>', 'id of the space')
    .option('--json', 'print JSON')
    .action(async (spaceId: string, options: OutputOptions) => {
      const workbooks = await createClient().workbooks.list({ spaceId, includeSheets: true, includeCounts: true })
      const rows = workbooks.flatMap(({ name: workbook, sheets = [] }) =>
        sheets.map(({ id, name, recordCounts }) => ({
          id,
          workbook,
          name,
          records: recordCounts?.total,
          errors: recordCounts?.error,
        })),
      )
      printRows(rows, options)
    })
  program
    .command('agents')
    .description('List deployed agents')
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions) => {
      const { data } = await createClient().agents.list({ pageSize: 100 })
      printRows(
        data.map(({ id, slug, topics }) => ({ id, slug, topics: topics?.join(' ') })),
        options,
      )
    })
}
