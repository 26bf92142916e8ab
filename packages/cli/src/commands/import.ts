import { type Command, Option } from 'commander'
import { type ImportOptions, OpenQuestions, type Schemas } from '../../../sdk/src/index.ts'
import { openFile } from '../../../sdk/src/node.ts'
import { createClient } from '../client.ts'
import { EXIT_CODES, UsageError } from '../exit-codes.ts'
import { createProgressBar, type OutputOptions, printJson, printRows } from '../output.ts'

interface ImportArguments extends OutputOptions {
  sheet: string
  mode?: ImportOptions['importMode']
  key?: string[]
  table?: string
  choose: Record<string, number>
}

export function addImport(program: Command): void {
  program
    .command('import')
    .description('Import a file into a sheet, with the suggested mapping')
    .argument('<file>', 'CSV, Excel, OpenDocument, Parquet, Arrow, JSON, XML, HTML or an archive')
    .requiredOption('--sheet <id>', 'id of the sheet')
    .addOption(
      new Option('--mode <mode>', 'what happens to existing records').choices(['add', 'update', 'upsert', 'replace']),
    )
    .option('--key <field...>', 'fields that identify a record, for update and upsert')
    .option('--table <name>', 'name of the table, for a file with several')
    .option('--choose <column=number>', 'read a column with two meanings by this alternative', collectChoice, {})
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExits with 3 if columns can be read in several ways; the alternatives are printed, and --choose picks one.',
    )
    .action(importFile)
}

function collectChoice(text: string, choices: Record<string, number>): Record<string, number> {
  const [, column, number] = /^(.+)=(\d+)$/.exec(text) ?? []
  if (column === undefined) throw new UsageError(`--choose must be like "Date=1", not "${text}".`)
  return { ...choices, [column]: Number(number) }
}

async function importFile(path: string, { sheet, mode, key, table, choose, json }: ImportArguments): Promise<void> {
  const bar = createProgressBar()
  try {
    const { counts, unmappedColumns, jobId } = await createClient().importFile(await openFile(path), {
      sheetId: sheet,
      ...(mode ? { importMode: mode } : {}),
      ...(key ? { keyFields: key } : {}),
      ...(table ? { table } : {}),
      decide: ({ alternatives }, { sourceField }) => alternatives[(choose[sourceField.key] ?? 0) - 1],
      onProgress: ({ step, percent }) => bar.update(step, percent),
    })
    bar.end()
    if (json) return printJson({ jobId, counts, unmappedColumns })
    const { created, updated, unchanged, valid, invalid } = counts
    printRows([{ created, updated, unchanged, valid, invalid }], {})
    if (unmappedColumns.length > 0) console.error(`Not imported, because no field fits: ${unmappedColumns.join(', ')}`)
  } catch (error) {
    bar.end()
    if (!(error instanceof OpenQuestions)) throw error
    printQuestions(error.edges, { json })
    process.exitCode = EXIT_CODES.questions
  }
}

function printQuestions(edges: readonly Schemas['Edge'][], options: OutputOptions): void {
  const rows = edges.flatMap(({ sourceField, metadata }) =>
    (metadata?.question?.alternatives ?? []).map((alternative, index) => ({
      column: sourceField.key,
      choose: `${sourceField.key}=${index + 1}`,
      reading: alternative,
      examples: metadata?.question?.examples,
    })),
  )
  if (!options.json) console.error('Some columns can be read in several ways. Nothing was imported. Choose one:')
  printRows(rows, options)
}
