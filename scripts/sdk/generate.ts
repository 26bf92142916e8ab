import { renderDomains, renderOperations } from './classes.ts'
import { listOperations, type OpenApiDocument } from './document.ts'
import { renderTypes } from './types.ts'

const FOLDER = 'packages/sdk/src'

export async function renderSdk(document: string): Promise<Record<string, string>> {
  const parsed = JSON.parse(document) as OpenApiDocument
  const operations = listOperations(parsed)
  return {
    [`${FOLDER}/schema.generated.ts`]: await renderTypes(parsed, operations),
    [`${FOLDER}/operations.generated.ts`]: renderOperations(operations),
    [`${FOLDER}/domains.generated.ts`]: renderDomains(operations),
  }
}
