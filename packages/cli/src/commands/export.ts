import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { createClient } from '../client.ts'
import { type OutputOptions, printJsonLine, printRows } from '../output.ts'

type Filter = 'valid' | 'error' | 'all'

interface ExportArguments {
  output?: string
  format: 'csv' | 'jsonl'
  filter?: Filter
  query?: string
}

const FILTERS = ['valid', 'error', 'all']

export function addExport(program: Command): void {
  program
    .command('export')
    .description('Write the records of a sheet to a file or to stdout')
    .argument('<sheet>', 'id of the sheet')
    .addOption(new Option('--format <format>', 'format of the file').choices(['csv', 'jsonl']).default('csv'))
    .addOption(new Option('--filter <status>', 'only records with this status').choices(FILTERS))
    .option('--query <ffql>', 'only records that match this query')
    .option('-o, --output <file>', 'file to write; stdout by default')
    .action(exportSheet)
  program
    .command('query')
    .description('Print records that match a query, such as \'age gte 18 and city eq "Rome"\'')
    .argument('<sheet>', 'id of the sheet')
    .argument('[ffql]', 'query; all records by default')
    .addOption(new Option('--filter <status>', 'only records with this status').choices(FILTERS))
    .option('--limit <count>', 'maximum of records', Number, 20)
    .option('--json', 'print JSON')
    .action(queryRecords)
}

async function exportSheet(sheetId: string, { output, format, filter, query: q }: ExportArguments): Promise<void> {
  const wharf = createClient()
  const target = output === undefined ? process.stdout : createWriteStream(output)
  const source =
    format === 'csv'
      ? Readable.fromWeb((await wharf.streams.downloadCsv(sheetId, { filter, q })).body as never)
      : Readable.from(formatLines(wharf.records.stream(sheetId, { filter, q })))
  await pipeline(source, target, { end: output !== undefined })
}

async function* formatLines(records: AsyncIterable<{ values: object }>): AsyncGenerator<string> {
  for await (const { values } of records) yield `${JSON.stringify(values)}\n`
}

interface QueryArguments extends OutputOptions {
  filter?: Filter
  limit: number
}

async function queryRecords(
  sheetId: string,
  q: string | undefined,
  { filter, limit, json }: QueryArguments,
): Promise<void> {
  const { records } = await createClient().records.list(sheetId, { q, filter, pageSize: limit })
  const rows = records.map(({ id, values, valid }) => ({
    id,
    ...Object.fromEntries(Object.entries(values).map(([key, cell]) => [key, cell.value])),
    valid,
  }))
  if (json) for (const row of rows) printJsonLine(row)
  else printRows(rows, {}, 'No record matches.')
}
