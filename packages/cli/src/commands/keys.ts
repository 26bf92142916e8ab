import { type Command, Option } from 'commander'
import { createClient } from '../client.ts'
import { type OutputOptions, printJson, printRows } from '../output.ts'

interface KeyArguments extends OutputOptions {
  environment: string
  type: 'SECRET' | 'PUBLISHABLE'
}

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('Keys of an environment')
  keys
    .command('list')
    .description('List keys, without their values')
    .requiredOption('--environment <id>', 'id of the environment')
    .option('--json', 'print JSON')
    .action(async ({ environment, ...options }: KeyArguments) => {
      const found = await createClient().auth.listKeys({ environmentId: environment })
      printRows(
        found.map(({ id, type, createdAt }) => ({ id, type, createdAt })),
        options,
      )
    })
  keys
    .command('create')
    .description('Create a key and print its value')
    .requiredOption('--environment <id>', 'id of the environment')
    .addOption(new Option('--type <type>', 'kind of key').choices(['SECRET', 'PUBLISHABLE']).default('SECRET'))
    .option('--json', 'print JSON')
    .action(async ({ environment, type, json }: KeyArguments) => {
      const [key] = await createClient().auth.createKey({ environmentId: environment, type })
      if (json) printJson(key)
      else console.log(key!.rawKey)
    })
  keys
    .command('delete')
    .description('Delete a key; it stops working immediately')
    .argument('<key>', 'id or value of the key')
    .requiredOption('--environment <id>', 'id of the environment')
    .action(async (key: string, { environment }: KeyArguments) => {
      await createClient().auth.removeKey({ key, environmentId: environment })
      console.error(`Deleted ${key.split('_').slice(0, 2).join('_')}.`)
    })
}
