/** Saves the plan as it is edited, and previews what the job would write. */
import { useEffect, useRef, useState } from 'react'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import type { Plan } from './plan.ts'

export type ColumnPreview = Shape<'ColumnPreview'>
type Preview = Shape<'MappingPreview'>

const DEBOUNCE_MS = 500

export async function savePlan(jobId: string, plan: Plan): Promise<Plan> {
  const { fieldMapping, unmappedSourceFields, unmappedDestinationFields, transforms } = plan
  const { data } = await unwrap(
    api.PATCH('/api/v1/jobs/{jobId}/plan', {
      params: { path: { jobId }, query: { suggest: true } },
      body: { fieldMapping, unmappedSourceFields, unmappedDestinationFields, transforms } as never,
    }),
  )
  return data.plan
}

export function usePreview(jobId: string, plan: Plan, isEnabled: boolean, onSaved: (plan: Plan) => void) {
  const latest = useRef(onSaved)
  latest.current = onSaved
  const [preview, setPreview] = useState<Preview>()
  const saving = useRef<Promise<void>>(Promise.resolve())
  const unsaved = useRef<Plan>(undefined)
  useEffect(() => {
    unsaved.current = isEnabled ? plan : undefined
    if (!isEnabled) return
    let isCurrent = true
    const load = async () => {
      unsaved.current = undefined
      const saved = await savePlan(jobId, plan)
      if (isCurrent) latest.current(saved)
      if (!isCurrent) return
      const { data } = await unwrap(api.POST('/api/v1/jobs/{jobId}/preview', { params: { path: { jobId } } }))
      if (isCurrent) setPreview(data)
    }
    // A plan without a preview can still be confirmed, and then the server explains what is wrong with it.
    const run = () => (isCurrent ? load().catch(() => void (isCurrent && setPreview(undefined))) : undefined)
    // One request at a time, so that an older plan never replaces a newer one.
    const timer = setTimeout(() => {
      saving.current = saving.current.then(run)
    }, DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [jobId, plan, isEnabled])
  useEffect(
    () => () => {
      if (unsaved.current) void savePlan(jobId, unsaved.current).catch(() => undefined)
    },
    [jobId],
  )
  return {
    preview,
    waitUntilSaved: () => saving.current,
    columns: new Map(preview?.columns.map((column) => [column.destinationField, column])),
  }
}
