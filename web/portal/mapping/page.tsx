/** Page for reviewing and confirming the mapping of a file. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { ErrorNotice, Loading, QueryView } from '../../shared/ui/states.tsx'
import { JobState } from '../jobs.tsx'
import { describeJob } from '../outcome.tsx'
import { hasEnded, type Job, jobQuery, type Space } from '../queries.ts'
import {
  assignTarget,
  buildPlan,
  type Choice,
  findUnmappedRequired,
  type Plan,
  type Target,
  toChoices,
} from './plan.ts'
import { ColumnRow } from './row.tsx'
import { usePreview } from './use-preview.ts'
import './mapping.css'

export default function MappingPage({ space, jobId }: { space: Space; jobId: string }) {
  const planQuery = useQuery({
    queryKey: ['plan', jobId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await unwrap(api.GET('/api/v1/jobs/{jobId}/plan', { params: { path: { jobId } } }))).data,
  })
  const config = planQuery.data?.job.config as { sourceSheetId?: string; destinationSheetId?: string } | undefined
  const sheet = useQuery({
    queryKey: ['sheet', config?.destinationSheetId],
    enabled: config?.destinationSheetId !== undefined,
    queryFn: async () =>
      (
        await unwrap(
          api.GET('/api/v1/sheets/{sheetId}', { params: { path: { sheetId: config!.destinationSheetId! } } }),
        )
      ).data,
  })
  return (
    <div className="page">
      <QueryView query={planQuery}>
        {({ plan }) => (
          <QueryView query={sheet}>
            {(target) => (
              <Mapping
                space={space}
                jobId={jobId}
                plan={plan}
                targets={target.config.fields as Target[]}
                sheet={target}
                sourceSheetId={config?.sourceSheetId ?? ''}
              />
            )}
          </QueryView>
        )}
      </QueryView>
    </div>
  )
}

interface Props {
  space: Space
  jobId: string
  plan: Plan
  targets: readonly Target[]
  sheet: { id: string; name: string }
  sourceSheetId: string
}

function Mapping({ space, jobId, plan, targets, sheet, sourceSheetId }: Props) {
  const { t, number } = useTranslation()
  const [, navigate] = useLocation()
  const [choices, setChoices] = useState(() => toChoices(plan))
  const job = useQuery({ ...jobQuery(jobId), refetchInterval: ({ state }) => (isRunning(state.data) ? 1000 : false) })
  const client = useQueryClient()
  const missing = useMemo(() => findUnmappedRequired(choices, targets), [choices, targets])
  const [isConfirmed, setIsConfirmed] = useState(false)
  const editedPlan = useMemo(() => buildPlan(choices, targets, plan), [choices, targets, plan])
  const preview = usePreview(
    jobId,
    editedPlan,
    job.data !== undefined && !isRunning(job.data) && !hasEnded(job.data) && !isConfirmed,
  )
  const confirm = useMutation({
    async mutationFn() {
      setIsConfirmed(true)
      await preview.waitUntilSaved()
      const path = { params: { path: { jobId } } }
      await unwrap(api.PUT('/api/v1/jobs/{jobId}/plan', { ...path, body: editedPlan as never }))
      await unwrap(api.POST('/api/v1/jobs/{jobId}/execute', path))
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['job', jobId] }),
    onError: () => setIsConfirmed(false),
  })
  const mappedCount = choices.filter(({ target }) => target).length
  const change = (next: Choice) =>
    setChoices((all) => all.map((choice) => (choice.source.key === next.source.key ? next : choice)))
  if (job.data && isRunning(job.data)) return <MappingProgress job={job.data} />
  if (job.data && hasEnded(job.data)) return <MappingResult space={space} job={job.data} sheetId={sheet.id} />
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{t('mapTitle', { sheet: sheet.name })}</h1>
          <p className="muted">{t('mapCount', { mapped: mappedCount, total: choices.length })}</p>
        </div>
        <div className="buttons">
          <Button onClick={() => navigate(`/s/${space.id}`)}>{t('back')}</Button>
          <Button kind="primary" busy={confirm.isPending} disabled={mappedCount === 0} onClick={() => confirm.mutate()}>
            {t('confirmMapping')}
          </Button>
        </div>
      </header>
      {preview.counts && (
        <p className="notice" role="status">
          {t('previewCounts', {
            count: preview.counts.created + preview.counts.updated,
            valid: number(preview.counts.valid),
            invalid: number(preview.counts.invalid),
          })}
        </p>
      )}
      {confirm.error && <ErrorNotice error={confirm.error} />}
      {missing.length > 0 && (
        <p className="notice warn" role="status">
          {t('missingRequired', {
            count: missing.length,
            fields: missing.map(({ key, label }) => label || key).join(', '),
          })}
        </p>
      )}
      <div className="mapping">
        <div className="mapping-head" aria-hidden="true">
          <span>{t('yourColumn')}</span>
          <span>{t('ourField')}</span>
          <span>{t('match')}</span>
        </div>
        {choices.map((choice) => (
          <ColumnRow
            key={choice.source.key}
            choice={choice}
            targets={targets}
            preview={preview.columns.get(choice.target ?? '')}
            sourceSheetId={sourceSheetId}
            onTarget={(target) => setChoices((all) => assignTarget(all, choice.source.key, target))}
            onChange={change}
          />
        ))}
      </div>
    </>
  )
}

const isRunning = (job: Job | undefined): boolean => job?.status === 'ready' || job?.status === 'executing'

function MappingProgress({ job }: { job: Job }) {
  const i18n = useTranslation()
  return (
    <div className="center-inside" role="status">
      <h1>{i18n.t('importing')}</h1>
      {job.status === 'ready' ? <Loading /> : <JobState job={job} />}
      <p className="muted" dir="auto">
        {describeJob(job, i18n)}
      </p>
    </div>
  )
}

function MappingResult({ space, job, sheetId }: { space: Space; job: Job; sheetId: string }) {
  const i18n = useTranslation()
  const [, navigate] = useLocation()
  const sheetPath = `/s/${space.id}/sheets/${sheetId}`
  useEffect(() => {
    if (job.status === 'completed') navigate(sheetPath, { replace: true })
  }, [job.status, navigate, sheetPath])
  const description = describeJob(job, i18n)
  return (
    <div className="center-inside">
      <h1>{i18n.t(job.status === 'canceled' ? 'jobCanceled' : 'jobFailed')}</h1>
      {description && (
        <p className="notice error" dir="auto">
          {description}
        </p>
      )}
      <Button onClick={() => navigate(`/s/${space.id}`)}>{i18n.t('overview')}</Button>
    </div>
  )
}
