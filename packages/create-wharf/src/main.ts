import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { createProject, ProjectError } from './project.ts'

const USAGE = `Usage: create-wharf [folder] [--name <name>] [--packages <folder>]

Creates a project for Wharf in the folder, and asks for the folder on a terminal.

  --name      name of the project; the name of the folder by default
  --packages  folder with packed packages of Wharf, instead of a registry`

const EXIT_CODES = { failure: 1, usage: 2 }

async function main(): Promise<number> {
  const { values, positionals } = readArguments()
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const folder = positionals[0] ?? (await askForFolder())
  if (!folder || positionals.length > 1) {
    console.error(USAGE)
    return EXIT_CODES.usage
  }
  const { name, files } = createProject(folder, values)
  console.log(`Created ${name} in ${folder}:\n${files.map((file) => `  ${file}`).join('\n')}`)
  console.log(
    `\nNext:\n  cd ${folder}\n  npm install\n  cp .env.example .env   # then write the token into it\n  npm run dev`,
  )
  return 0
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { name: { type: 'string' }, packages: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`)
    process.exit(EXIT_CODES.usage)
  }
}

async function askForFolder(): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await lines.question('Name of the project (my-import): ')).trim() || 'my-import'
  } finally {
    lines.close()
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof ProjectError)) throw error
  console.error(error.message)
  process.exitCode = EXIT_CODES.failure
}
