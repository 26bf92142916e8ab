/** Saves the plan and settings as they are edited, and previews what the job would write. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import type { Job } from '../queries.ts'
import { type ImportSettings, isSame, lacksKey, toConfig } from './import-settings.ts'
import type { Plan } from './plan.ts'

export type ColumnPreview = Shape<'ColumnPreview'>
type Preview = Shape<'MappingPreview'>

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
  useEffect(() => {
    unsaved.current = isEnabled ? draft : undefined
    if (!isEnabled) return
    let isCurrent = true
    const load = async () => {
      unsaved.current = undefined
      const saved = await save(draft)
      if (isCurrent) latest.current(saved)
      if (!isCurrent || lacksKey(draft.settings)) return isCurrent && setPreview(undefined)
      const { data } = await unwrap(api.POST('/api/v1/jobs/{jobId}/preview', { params: { path: { jobId } } }))
      if (!isCurrent) return
      setPreview(data)
      setProblem(undefined)
    }
    // A plan without a preview can still be confirmed, and then the server explains what is wrong with it.
    const run = () =>
      isCurrent
        ? load().then(undefined, (error: unknown) => {
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
  }, [jobId, draft, isEnabled, save])
  useEffect(
    () => () => {
      if (unsaved.current) void save(unsaved.current).catch(() => undefined)
    },
    [save],
  )
  return {
    preview,
    problem,
    async saveNow() {
      await saving.current
      await save(draft)
    },
    columns: new Map(preview?.columns.map((column) => [column.destinationField, column])),
  }
}
