import { useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { describeJob } from '../outcome.tsx'
import type { Job, Space } from '../queries.ts'

export function MappingProgress({ job }: { job: Job }) {
  const i18n = useTranslation()
  const percent = job.status === 'executing' ? job.progress : 0
  const formatted = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(percent / 100)
  return (
    <div className="import-progress" role="status">
      <h1>{i18n.t('importing')}</h1>
      <progress aria-label={i18n.t('importing')} value={percent || undefined} max={100} />
      <p className="muted">
        {percent > 0 ? `${formatted} · ` : ''}
        <bdi>{job.status === 'executing' ? describeJob(job, i18n) : i18n.t('startsSoon')}</bdi>
      </p>
    </div>
  )
}

export function MappingResult({ space, job, sheetId }: { space: Space; job: Job; sheetId: string }) {
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
      <Link href={`/s/${space.id}`} className="button primary">
        {i18n.t('overview')}
      </Link>
    </div>
  )
}
