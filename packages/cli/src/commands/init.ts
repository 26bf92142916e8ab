import type { Command } from 'commander'
import { createProject, ProjectError } from '../../../create-wharf/src/project.ts'
import { UsageError } from '../exit-codes.ts'
import { type OutputOptions, printJson } from '../output.ts'

interface InitArguments extends OutputOptions {
  name?: string
  packages?: string
}

export function addInit(program: Command): void {
  program
    .command('init')
    .description('Create a project in this folder: sheets as code, a listener, a test and a deployment')
    .option('--name <name>', 'name of the project; the name of the folder by default')
    .option('--packages <folder>', 'folder with packed packages of Wharf, instead of a registry')
    .option('--json', 'print JSON')
    .action((options: InitArguments) => {
      try {
        const { json, ...project } = options
        const { name, files } = createProject('.', project)
        if (json) return printJson({ name, files })
        console.log(files.join('\n'))
        console.error(`Created ${name}. Next: npm install, cp .env.example .env, npm run dev`)
      } catch (error) {
        throw error instanceof ProjectError ? new UsageError(error.message) : error
      }
    })
}
