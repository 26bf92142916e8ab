/** `npm run gen`: writes the generated files. */
import { writeFileSync } from 'node:fs'
import { renderTopics } from './listener/generate.ts'
import { renderGeneratedFiles } from './reference/generated.ts'
import { renderSdk } from './sdk/generate.ts'
import { generateWebTypes, WEB_TYPES } from './web-types.ts'

const files = renderGeneratedFiles()
const document = files['schemas/generated/openapi.json']!
files[WEB_TYPES] = await generateWebTypes(document)
Object.assign(files, await renderSdk(document), await renderTopics())
for (const [path, text] of Object.entries(files)) {
  writeFileSync(path, text)
  console.log(`wrote ${path}`)
}
