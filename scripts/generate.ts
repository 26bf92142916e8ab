/** `npm run gen`: writes what derives from the declarations. */
import { writeFileSync } from 'node:fs'
import { generated } from './generated.ts'

for (const [path, text] of Object.entries(generated())) {
  writeFileSync(path, text)
  console.log(`wrote ${path}`)
}
