import * as changes from '../../../schemas/mcp/changes.ts'
import { type Api, RefusedError } from '../api.ts'
import { defineChange } from './change.ts'

interface Edge {
  sourceField: { key: string }
  destinationField: { key: string }
  metadata?: { question?: unknown; reading?: unknown }
}

const SHOWN_RECORDS = 3

export const importFile = defineChange(changes.importFile, async (api, args) => {
  const { sourceSheetId, destinationSheetId, mapping, readings, rules, ...options } = args
  const [source, destination] = await Promise.all(
    [sourceSheetId, destinationSheetId].map(
      async (sheetId) => (await api({ method: 'GET', path: `/sheets/${sheetId}` })).data,
    ),
  )
  const { data: job } = await api({
    method: 'POST',
    path: '/jobs',
    body: {
      type: 'workbook',
      operation: 'map',
      source: source.workbookId,
      destination: destination.workbookId,
      managed: true,
      config: {
        ...{ sourceSheetId, destinationSheetId, ...options },
        ...(rules ? { mappingRules: rules, canRecompute: true } : {}),
      },
    },
  })
  const plan = `/jobs/${job.id}/plan`
  if (mapping) await replaceMapping(api, plan, mapping)
  const edges = await readEdges(api, plan)
  if (readings) await chooseReadings(api, plan, edges, readings)
  const { data: preview } = await api({ method: 'POST', path: `/jobs/${job.id}/preview` })
  const { token, records, ...shown } = preview
  return {
    shown: {
      jobId: job.id,
      ...shown,
      questions: readings ? undefined : listQuestions(edges),
      records: records.slice(0, SHOWN_RECORDS),
    },
    change: { request: { method: 'POST', path: `/jobs/${job.id}/execute`, body: { preview: token } } },
  }
})

const readEdges = async (api: Api, path: string): Promise<Edge[]> =>
  (await api({ method: 'GET', path })).data.plan.fieldMapping

async function replaceMapping(
  api: Api,
  path: string,
  mapping: readonly { sourceField: string; destinationField: string }[],
): Promise<void> {
  const fieldMapping = mapping.map(({ sourceField, destinationField }) => ({
    sourceField: { key: sourceField },
    destinationField: { key: destinationField },
  }))
  await api({ method: 'PATCH', path, query: { suggest: true }, body: { fieldMapping } })
}

/** @throws RefusedError if a column is not mapped */
async function chooseReadings(
  api: Api,
  path: string,
  edges: readonly Edge[],
  readings: Record<string, unknown>,
): Promise<void> {
  const unmapped = Object.keys(readings).filter((key) => !edges.some(({ sourceField }) => sourceField.key === key))
  if (unmapped.length > 0) throw new RefusedError(`The columns ${unmapped.join(', ')} are not mapped to a field.`)
  const fieldMapping = edges.map((edge) => {
    const reading = readings[edge.sourceField.key]
    return reading === undefined ? edge : { ...edge, metadata: { ...edge.metadata, reading } }
  })
  await api({ method: 'PATCH', path, body: { fieldMapping } })
}

const listQuestions = (edges: readonly Edge[]) =>
  edges.flatMap(({ sourceField, metadata }) =>
    metadata?.question === undefined ? [] : [{ sourceField: sourceField.key, question: metadata.question }],
  )
