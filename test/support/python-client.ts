import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmulatorUnavailableError, findPython, installPython, runFile } from './emulators.ts'

export interface PythonClient {
  python: string
  env: { PATH: string; PYTHONPATH: string }
  remove(): void
}

const project = readFileSync('packages/sdk-python/pyproject.toml', 'utf8')

const listRequirements = (name: string): string[] =>
  JSON.parse(new RegExp(`^${name} = (\\[.*\\])$`, 'm').exec(project)![1]!)

async function installRequirements(): Promise<string> {
  const requirements = [...listRequirements('requires'), ...listRequirements('dependencies')]
  const version = /openapi-python-client==([\d.]+)/.exec(project)![1]
  return join(await installPython(`wharf-sdk-python-${version}`, await findPython(11), requirements), 'bin')
}

export async function installPythonClient(): Promise<PythonClient | string> {
  let bin: string
  try {
    bin = await installRequirements()
  } catch (error) {
    if (!(error instanceof EmulatorUnavailableError)) throw error
    const reason = `NOT RUN: the Python client needs Python 3.11 or newer with venv, and PyPI: ${error.message}`
    console.warn(reason)
    return reason
  }
  const root = mkdtempSync(join(tmpdir(), 'wharf-python-'))
  const python = join(bin, 'python')
  const folder = join(root, 'packages/sdk-python')
  const installed = join(root, 'installed')
  cpSync('packages/sdk-python', folder, { recursive: true, filter: (path) => !path.endsWith('/rest') })
  cpSync('schemas/generated/openapi.json', join(root, 'schemas/generated/openapi.json'))
  const pip = ['-m', 'pip', '-q', '--disable-pip-version-check']
  await runFile(python, [...pip, 'wheel', '--no-build-isolation', '--no-deps', '-w', join(root, 'wheels'), folder])
  const [wheel] = readdirSync(join(root, 'wheels'))
  await runFile(python, [...pip, 'install', '--no-deps', '--target', installed, join(root, 'wheels', wheel!)])
  return {
    python,
    env: { PATH: `${bin}:${process.env.PATH}`, PYTHONPATH: installed },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
