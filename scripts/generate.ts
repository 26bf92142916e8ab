/** `npm run gen`: writes what derives from the declarations. */
import { writeFileSync } from 'node:fs'
import { generated } from './generated.ts'
import { WEB_TYPES, webTypes } from './web-types.ts'

const files = generated()
files[WEB_TYPES] = await webTypes(files['schemas/generated/openapi.json']!)
for (const [path, text] of Object.entries(files)) {
  writeFileSync(path, text)
  console.log(`wrote ${path}`)
}
