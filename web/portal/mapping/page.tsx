/** Which column of a file fills which field: suggested, changed by hand, confirmed, done. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { api, ask } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Failure, Loading, Shown } from '../../shared/ui/states.tsx'
import { hasEnded, type Job, jobQuery, type Space } from '../data.ts'
import { JobState } from '../jobs.tsx'
import { type Choice, choicesOf, choose, missingRequired, type Plan, planOf, type Target } from './plan.ts'
import { ColumnRow } from './row.tsx'

export default function MappingPage({ space, jobId }: { space: Space; jobId: string }) {
  const planned = useQuery({
    queryKey: ['plan', jobId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await ask(api.GET('/api/v1/jobs/{jobId}/plan', { params: { path: { jobId } } }))).data,
  })
  const config = planned.data?.job.config as { sourceSheetId?: string; destinationSheetId?: string } | undefined
  const sheet = useQuery({
    queryKey: ['sheet', config?.destinationSheetId],
    enabled: config?.destinationSheetId !== undefined,
    queryFn: async () =>
      (await ask(api.GET('/api/v1/sheets/{sheetId}', { params: { path: { sheetId: config!.destinationSheetId! } } })))
        .data,
  })
  return (
    <div className="page">
      <Shown of={planned}>
        {({ plan }) => (
          <Shown of={sheet}>
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
          </Shown>
        )}
      </Shown>
    </div>
  )
}

interface Given {
  space: Space
  jobId: string
  plan: Plan
  targets: readonly Target[]
  sheet: { id: string; name: string }
  sourceSheetId: string
}

function Mapping({ space, jobId, plan, targets, sheet, sourceSheetId }: Given) {
  const { t } = useTexts()
  const [choices, setChoices] = useState(() => choicesOf(plan))
  const job = useQuery({ ...jobQuery(jobId), refetchInterval: ({ state }) => (isRunning(state.data) ? 1000 : false) })
  const client = useQueryClient()
  const missing = useMemo(() => missingRequired(choices, targets), [choices, targets])
  const confirm = useMutation({
    async mutationFn() {
      const path = { params: { path: { jobId } } }
      await ask(api.PUT('/api/v1/jobs/{jobId}/plan', { ...path, body: planOf(choices, targets, plan) as never }))
      await ask(api.POST('/api/v1/jobs/{jobId}/execute', path))
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['job', jobId] }),
  })
  const mapped = choices.filter(({ target }) => target).length
  const change = (next: Choice) =>
    setChoices((all) => all.map((each) => (each.source.key === next.source.key ? next : each)))
  if (job.data && isRunning(job.data)) return <Running job={job.data} />
  if (job.data && hasEnded(job.data)) return <Ended space={space} job={job.data} sheetId={sheet.id} />
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{t('mapTitle', { sheet: sheet.name })}</h1>
          <p className="muted">{t('mapCount', { mapped, total: choices.length })}</p>
        </div>
        <Button kind="primary" busy={confirm.isPending} disabled={mapped === 0} onClick={() => confirm.mutate()}>
          {t('confirmMapping')}
        </Button>
      </header>
      {confirm.error && <Failure error={confirm.error} />}
      {missing.length > 0 && (
        <p className="notice warn" role="status">
          {t('missingRequired', { fields: missing.map(({ key, label }) => label || key).join(', ') })}
        </p>
      )}
      <div className="mapping">
        <div className="mapping-head" aria-hidden="true">
          <span>{t('columnOfFile')}</span>
          <span>{t('fieldOfSheet')}</span>
          <span>{t('certainty')}</span>
        </div>
        {choices.map((choice) => (
          <ColumnRow
            key={choice.source.key}
            choice={choice}
            targets={targets}
            sourceSheetId={sourceSheetId}
            onTarget={(target) => setChoices((all) => choose(all, choice.source.key, target))}
            onChange={change}
          />
        ))}
      </div>
    </>
  )
}

const isRunning = (job: Job | undefined): boolean => job?.status === 'ready' || job?.status === 'executing'

function Running({ job }: { job: Job }) {
  const { t } = useTexts()
  return (
    <div className="center-inside" role="status">
      <h1>{t('importing')}</h1>
      {job.status === 'ready' ? <Loading /> : <JobState job={job} />}
      <p className="muted">{job.info}</p>
    </div>
  )
}

/** Goes on to the sheet by itself when all went well. */
function Ended({ space, job, sheetId }: { space: Space; job: Job; sheetId: string }) {
  const { t } = useTexts()
  const [, go] = useLocation()
  const to = `/s/${space.id}/sheets/${sheetId}`
  useEffect(() => {
    if (job.status === 'completed') go(to, { replace: true })
  }, [job.status, go, to])
  return (
    <div className="center-inside">
      <h1>{t('jobFailed')}</h1>
      <p className="notice error">
        {String((job.outcome as { message?: string } | undefined)?.message ?? job.info ?? '')}
      </p>
      <Button onClick={() => go(`/s/${space.id}`)}>{t('overview')}</Button>
    </div>
  )
}
