/** `npm run release [-- --tag v1.2.3 --publish]`: checks a release and writes its notes and SBOM into dist/release. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readPackage, readPackages } from './release/packages.ts'
import { type PackageVersion, planRelease } from './release/plan.ts'

const OUT_DIR = 'dist/release'

function publish({ folder, name }: PackageVersion): void {
  const { REPOSITORY } = process.env
  if (!REPOSITORY) throw new Error('REPOSITORY is missing: npm compares it with the provenance of the package')
  const options = { cwd: folder, stdio: 'inherit' } as const
  execFileSync('npm', ['pkg', 'set', `repository.url=git+${REPOSITORY}.git`, `repository.directory=${folder}`], options)
  execFileSync('npm', ['publish', '--provenance', '--access', 'public'], options)
  console.log(`Published ${name}`)
}

const root = readPackage('.')
const { values } = parseArgs({
  options: {
    tag: { type: 'string', default: `v${root.version}` },
    publish: { type: 'boolean', default: false },
  },
})
const { notes, published, problems } = planRelease(
  values.tag,
  [{ ...root, private: true }, ...readPackages()],
  readFileSync('CHANGELOG.md', 'utf8'),
)
mkdirSync(OUT_DIR, { recursive: true })
writeFileSync(`${OUT_DIR}/notes.md`, `${notes}\n`)
const sbom = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], {
  maxBuffer: 64 * 1024 * 1024,
})
writeFileSync(`${OUT_DIR}/sbom.cdx.json`, sbom)
console.log(`${values.tag}: ${published.map(({ name }) => name).join(', ')}. Notes and SBOM are in ${OUT_DIR}.`)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else if (values.publish) for (const each of published) publish(each)
