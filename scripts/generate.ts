/** `npm run gen`: writes the generated files. */
import { writeFileSync } from 'node:fs'
import { renderGeneratedFiles } from './reference/generated.ts'
import { generateWebTypes, WEB_TYPES } from './web-types.ts'

const files = renderGeneratedFiles()
files[WEB_TYPES] = await generateWebTypes(files['schemas/generated/openapi.json']!)
for (const [path, text] of Object.entries(files)) {
  writeFileSync(path, text)
  console.log(`wrote ${path}`)
}
