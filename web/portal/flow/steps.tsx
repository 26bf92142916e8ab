/** The way of a guest through a space: what is done, what is next. */
import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { ActionRun } from '../actions.tsx'
import type { Space } from '../queries.ts'
import { STEPS, type Step } from './progress.ts'
import { type SpaceProgress, type Submission, useProgress } from './use-progress.ts'
import './flow.css'

const LABELS: Record<Step, TextKey> = {
  upload: 'stepUpload',
  match: 'stepMatch',
  review: 'stepReview',
  submit: 'stepSubmit',
}

export function Steps({ space }: { space: Space }) {
  const { t } = useTranslation()
  const [path] = useLocation()
  const progress = useProgress(space)
  const [submitting, setSubmitting] = useState<Submission>()
  const { sheets, step, submit, isLoaded } = progress
  if (!isLoaded || sheets.length === 0) return null
  const steps: readonly Step[] = submit ? STEPS : STEPS.filter((name) => name !== 'submit')
  const reached = step === 'done' || (step === 'submit' && !submit) ? steps.length : steps.indexOf(step as Step)
  const links = findLinks(space, progress)
  return (
    <nav className="steps" aria-label={t('steps')}>
      <ol>
        {steps.map((name, index) => (
          <li key={name} className={index < reached ? 'done' : index === reached ? 'current' : 'later'}>
            <StepLink to={index <= reached ? links[name] : undefined} isCurrent={index === reached}>
              <span className="step-mark" aria-hidden="true">
                {index < reached ? <Check /> : index + 1}
              </span>
              <span className="step-name">{t(LABELS[name])}</span>
              {index < reached && <span className="visually-hidden">{t('stepDone')}</span>}
            </StepLink>
          </li>
        ))}
      </ol>
      {step === 'submit' && submit && path.includes('/sheets/') && (
        <Button kind="primary" onClick={() => setSubmitting(submit)}>
          {submit.action.label}
        </Button>
      )}
      {submitting && <ActionRun space={space} {...submitting} onEnd={() => setSubmitting(undefined)} />}
    </nav>
  )
}

function StepLink(props: { to: string | undefined; isCurrent: boolean; children: ReactNode }) {
  const current = props.isCurrent ? 'step' : undefined
  return props.to === undefined ? (
    <span aria-current={current}>{props.children}</span>
  ) : (
    <Link href={props.to} aria-current={current}>
      {props.children}
    </Link>
  )
}

function findLinks(space: Space, { openMapping, sheets }: SpaceProgress): Partial<Record<Step, string>> {
  const home = `/s/${space.id}`
  const sheet =
    sheets.find(({ recordCounts }) => (recordCounts?.error ?? 0) > 0) ??
    sheets.find(({ recordCounts }) => (recordCounts?.total ?? 0) > 0)
  return {
    upload: home,
    match: openMapping ? `${home}/map/${openMapping.id}` : home,
    ...(sheet ? { review: `${home}/sheets/${sheet.id}` } : {}),
    submit: home,
  }
}
