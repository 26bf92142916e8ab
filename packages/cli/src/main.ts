/** `wharf`: the command line. */
import { Command, CommanderError } from 'commander'
import { WharfError } from '../../sdk/src/index.ts'
import packageJson from '../package.json' with { type: 'json' }
import { addCompletion } from './commands/completion.ts'
import { addDeploy } from './commands/deploy.ts'
import { addDev } from './commands/dev.ts'
import { addDoctor } from './commands/doctor.ts'
import { addEvents } from './commands/events.ts'
import { addExport } from './commands/export.ts'
import { addImport } from './commands/import.ts'
import { addInit } from './commands/init.ts'
import { addKeys } from './commands/keys.ts'
import { addLists } from './commands/lists.ts'
import { addLogin } from './commands/login.ts'
import { addUp } from './commands/up.ts'
import { EXIT_CODES, UsageError } from './exit-codes.ts'

const FILE_ERRORS = ['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR']

const program = new Command('wharf')
  .description('Run a Wharf platform, import files, read records, follow events, and develop listeners.')
  .version(packageJson.version)
  .addHelpText('after', '\nExit codes: 0 success, 1 failure, 2 wrong usage, 3 open questions of an import.')
  .exitOverride()

const COMMANDS = [
  ...[addUp, addLogin, addDoctor, addLists, addImport, addExport, addEvents],
  ...[addInit, addDev, addDeploy, addKeys, addCompletion],
]
for (const add of COMMANDS) add(program)

// A reader such as `head` closes the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : EXIT_CODES.failure),
)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

function report(error: unknown): number {
  // Commander has printed its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage
  if (error instanceof UsageError) {
    console.error(error.message)
    return EXIT_CODES.usage
  }
  if (error instanceof WharfError || isFileError(error) || (error as Error).name === 'CannotStartError') {
    console.error((error as Error).message)
    return EXIT_CODES.failure
  }
  console.error(error)
  return EXIT_CODES.failure
}

function isFileError(error: unknown): boolean {
  return FILE_ERRORS.includes((error as NodeJS.ErrnoException).code ?? '')
}
