/** `npm run gen`: writes the files derived from the declarations. */
import { writeFileSync } from 'node:fs'
import { generated } from './generated.ts'
import { generateWebTypes, WEB_TYPES } from './web-types.ts'

const files = generated()
files[WEB_TYPES] = await generateWebTypes(files['schemas/generated/openapi.json']!)
for (const [path, text] of Object.entries(files)) {
  writeFileSync(path, text)
  console.log(`wrote ${path}`)
}
