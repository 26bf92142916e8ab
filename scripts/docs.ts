/** `npm run docs`: builds the documentation site into docs/.vitepress/dist; `-- dev` serves it and follows changes. */
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { dirname } from 'node:path'
import { buildSite, OUT_DIR, VITEPRESS } from './docs/build-site.ts'
import { stagePages } from './docs/stage.ts'
import { installTools } from './install-tools.ts'

const SETTLED_MS = 100

function serve(): void {
  installTools('docs')
  const folders = new Set(stagePages().flatMap(({ source }) => (source ? [dirname(source)] : [])))
  const child = spawn(process.execPath, [VITEPRESS, 'dev', 'docs'], { stdio: 'inherit' })
  let timer: NodeJS.Timeout | undefined
  for (const folder of folders)
    watch(folder, (_, name) => {
      if (!name?.endsWith('.md')) return
      clearTimeout(timer)
      timer = setTimeout(stageAgain, SETTLED_MS)
    })
  child.on('exit', (code) => process.exit(code ?? 1))
}

function stageAgain(): void {
  try {
    stagePages()
  } catch (error) {
    console.error((error as Error).message)
  }
}

if (process.argv[2] === 'dev') serve()
else {
  const pages = buildSite()
  console.log(`${pages.length} pages in ${OUT_DIR}`)
}
