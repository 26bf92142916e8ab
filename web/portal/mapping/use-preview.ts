/** Saves the plan and settings as they are edited, and previews what the job would write. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import type { Job } from '../queries.ts'
import { type ImportSettings, isSame, lacksKey, toConfig } from './import-settings.ts'
import type { Plan } from './plan.ts'

export type ColumnPreview = Shape<'ColumnPreview'>
export type Preview = Shape<'MappingPreview'>

const DEBOUNCE_MS = 500

export interface Draft {
  plan: Plan
  settings: ImportSettings
}

async function savePlan(jobId: string, plan: Plan): Promise<Plan> {
  const { fieldMapping, unmappedSourceFields, unmappedDestinationFields, transforms, otherLines } = plan
  const { data } = await unwrap(
    api.PATCH('/api/v1/jobs/{jobId}/plan', {
      params: { path: { jobId }, query: { suggest: true } },
      body: {
        fieldMapping,
        unmappedSourceFields,
        unmappedDestinationFields,
        transforms,
        otherLines: otherLines && { leaveOut: otherLines.leaveOut },
      } as never,
    }),
  )
  return data.plan
}

function useSave(job: Pick<Job, 'id' | 'config'>, stored: ImportSettings) {
  const saved = useRef(stored)
  const { id: jobId, config } = job
  return useCallback(
    async ({ plan, settings }: Draft): Promise<Plan> => {
      const savedPlan = await savePlan(jobId, plan)
      if (lacksKey(settings) || isSame(settings, saved.current)) return savedPlan
      await unwrap(
        api.PATCH('/api/v1/jobs/{jobId}', {
          params: { path: { jobId } },
          body: { config: toConfig(config, settings) as never },
        }),
      )
      saved.current = settings
      return savedPlan
    },
    [jobId, config],
  )
}

interface Options {
  job: Pick<Job, 'id' | 'config'>
  storedSettings: ImportSettings
  draft: Draft
  isEnabled: boolean
  onSaved(plan: Plan): void
}

export function usePreview({ job, storedSettings, draft, isEnabled, onSaved }: Options) {
  const latest = useRef(onSaved)
  latest.current = onSaved
  const jobId = job.id
  const save = useSave(job, storedSettings)
  const [preview, setPreview] = useState<Preview>()
  const [problem, setProblem] = useState<unknown>()
  const saving = useRef<Promise<void>>(Promise.resolve())
  const unsaved = useRef<Draft>(undefined)
  const previewed = useRef<{ draft: Draft; preview: Preview }>(undefined)
  const load = useCallback(
    async (next: Draft) => {
      unsaved.current = undefined
      const plan = await save(next)
      if (lacksKey(next.settings)) return { plan }
      const { data } = await unwrap(api.POST('/api/v1/jobs/{jobId}/preview', { params: { path: { jobId } } }))
      previewed.current = { draft: next, preview: data }
      return { plan, preview: data }
    },
    [jobId, save],
  )
  useEffect(() => {
    unsaved.current = isEnabled ? draft : undefined
    if (!isEnabled) return
    let isCurrent = true
    const show = async () => {
      const loaded = await load(draft)
      if (!isCurrent) return
      latest.current(loaded.plan)
      setPreview(loaded.preview)
      setProblem(undefined)
    }
    // Confirming loads a failed preview again, and then says what is wrong.
    const run = () =>
      isCurrent
        ? show().then(undefined, (error: unknown) => {
            if (!isCurrent) return
            setPreview(undefined)
            setProblem(error)
          })
        : undefined
    // One request at a time, so that an older plan never replaces a newer one.
    const timer = setTimeout(() => {
      saving.current = saving.current.then(run) as Promise<void>
    }, DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [draft, isEnabled, load])
  useEffect(
    () => () => {
      if (unsaved.current) void save(unsaved.current).catch(() => undefined)
    },
    [save],
  )
  const refresh = async (): Promise<Preview> => {
    const loaded = await load(draft)
    setPreview(loaded.preview)
    if (!loaded.preview) throw new Error('A preview needs a key.')
    return loaded.preview
  }
  return {
    preview,
    problem,
    refresh,
    async previewNow(): Promise<Preview> {
      await saving.current
      return previewed.current?.draft === draft ? previewed.current.preview : refresh()
    },
    columns: new Map(preview?.columns.map((column) => [column.destinationField, column])),
  }
}
