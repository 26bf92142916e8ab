/** The columns of a file and the fields they fill: reviewed, changed and confirmed. */
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { filesQuery, hasEnded, type Job, jobQuery, type Space } from '../queries.ts'
import { ConfirmImport, ImportProblem } from './confirm.tsx'
import { Counts } from './counts.tsx'
import { ImportModeChoice } from './import-mode.tsx'
import { lacksKey, readSettings } from './import-settings.ts'
import { OtherLinesChoice } from './other-lines.tsx'
import {
  adoptPlan,
  assignTarget,
  buildPlan,
  type Choice,
  findUnmappedRequired,
  getTransformTargets,
  listFilledFields,
  orderColumns,
  type Plan,
  releaseFields,
  type Target,
  type Transform,
  toChoices,
} from './plan.ts'
import { MappingProgress, MappingResult } from './progress.tsx'
import { QuestionCard } from './question.tsx'
import { RequiredFields } from './required-fields.tsx'
import { ColumnRow } from './row.tsx'
import { Transforms } from './transforms.tsx'
import { useImport } from './use-import.ts'
import { usePreview } from './use-preview.ts'
import { UsedRecipe } from './used-recipe.tsx'

interface Props {
  space: Space
  /** As the plan was read. */
  planned: Job
  plan: Plan
  targets: readonly Target[]
  sheet: { id: string; name: string }
  sourceSheetId: string
}

const isRunning = (job: Job | undefined): boolean => job?.status === 'ready' || job?.status === 'executing'

export function Mapping(props: Props) {
  const { space, planned, sheet } = props
  const job = useQuery({
    ...jobQuery(planned.id),
    refetchInterval: ({ state }) => (isRunning(state.data) ? 700 : false),
  })
  if (job.data && isRunning(job.data)) return <MappingProgress job={job.data} />
  if (job.data && hasEnded(job.data)) return <MappingResult space={space} job={job.data} sheetId={sheet.id} />
  return <Editor {...props} job={job.data} />
}

function useEditedPlan({ plan, targets }: Pick<Props, 'plan' | 'targets'>) {
  const [choices, setChoices] = useState<readonly Choice[]>(() => toChoices(plan))
  const [transforms, setTransforms] = useState<readonly Transform[]>(plan.transforms ?? [])
  const [leaveOut, setLeaveOut] = useState(plan.otherLines?.leaveOut ?? true)
  const editedPlan = useMemo(
    () => ({
      ...buildPlan(choices, transforms, targets, plan),
      otherLines: plan.otherLines && { ...plan.otherLines, leaveOut },
    }),
    [choices, transforms, targets, plan, leaveOut],
  )
  const change = (next: Choice) =>
    setChoices((all) => all.map((choice) => (choice.source.key === next.source.key ? next : choice)))
  const addTransform = (transform: Transform) => {
    if (transform.type !== 'transform') setChoices((all) => releaseFields(all, getTransformTargets(transform)))
    setTransforms((all) => [...all, transform])
  }
  const assign = (sourceKey: string, target: string | undefined, swaps?: boolean) => {
    setChoices((all) => assignTarget(all, sourceKey, target, swaps))
    setTransforms((all) =>
      all.filter((one) => one.type === 'transform' || !getTransformTargets(one).includes(target ?? '')),
    )
  }
  const removeTransform = (transform: Transform) => setTransforms((all) => all.filter((one) => one !== transform))
  return { choices, transforms, editedPlan, change, assign, addTransform, removeTransform, setChoices, setLeaveOut }
}

function Editor({ space, planned, plan, targets, sheet, sourceSheetId, job }: Props & { job: Job | undefined }) {
  const { t } = useTranslation()
  const edited = useEditedPlan({ plan, targets })
  const { choices, transforms, editedPlan } = edited
  const [storedSettings] = useState(() => readSettings(planned))
  const [settings, setSettings] = useState(storedSettings)
  const draft = useMemo(() => ({ plan: editedPlan, settings }), [editedPlan, settings])
  const { isConfirmed, ...importing } = useImport(planned.id)
  const [order] = useState(() => orderColumns(choices, targets))
  const { preview, problem, columns, ...previews } = usePreview({
    job: planned,
    storedSettings,
    draft,
    isEnabled: job !== undefined && !isConfirmed,
    onSaved: (saved) => edited.setChoices((all) => adoptPlan(all, saved)),
  })
  const byKey = new Map(choices.map((choice) => [choice.source.key, choice]))
  const takenBy = new Map(
    choices.flatMap(({ target, source }) => (target ? [[target, source.label || source.key] as const] : [])),
  )
  const filled = listFilledFields(choices, transforms)
  const missing = settings.mode === 'update' ? [] : findUnmappedRequired(choices, transforms, targets)
  return (
    <>
      <Head
        {...{ space, sheet, choices, job }}
        confirm={
          <ConfirmImport
            missing={missing}
            disabled={filled.size === 0 || lacksKey(settings)}
            isPending={importing.isPending}
            onConfirm={() => importing.start(previews)}
          />
        }
      />
      {importing.error && <ImportProblem error={importing.error} />}
      {plan.recipe && job && <UsedRecipe space={space} job={job} recipe={preview?.recipe ?? plan.recipe} />}
      <Counts preview={preview} mode={settings.mode} />
      <RequiredFields
        fields={missing}
        targets={targets}
        choices={choices}
        onChoose={(sourceKey, target) => edited.assign(sourceKey, target)}
      />
      <Questions choices={choices} sheetId={sheet.id} onChange={edited.change} />
      <div className="mapping">
        <div className="mapping-head" aria-hidden="true">
          <span>{t('yourColumn')}</span>
          <span>{t('ourField')}</span>
          <span>{t('match')}</span>
        </div>
        {order.map((key) => (
          <ColumnRow
            key={key}
            choice={byKey.get(key)!}
            targets={targets}
            preview={columns.get(byKey.get(key)!.target ?? '')}
            sourceSheetId={sourceSheetId}
            takenBy={takenBy}
            onTarget={(target, swaps) => edited.assign(key, target, swaps)}
            onChange={edited.change}
          />
        ))}
      </div>
      <Transforms
        {...{ transforms, choices, targets, columns }}
        onAdd={edited.addTransform}
        onRemove={edited.removeTransform}
      />
      <OtherLinesChoice otherLines={editedPlan.otherLines} onChange={edited.setLeaveOut} />
      <ImportModeChoice {...{ settings, targets, filled, problem }} onChange={setSettings} />
    </>
  )
}

interface HeadProps extends Pick<Props, 'space' | 'sheet'> {
  choices: readonly Choice[]
  job: Job | undefined
  confirm: ReactNode
}

function Head({ space, sheet, choices, job, confirm }: HeadProps) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const files = useQuery(filesQuery(space.id))
  const file = files.data?.find(({ id, workbookId }) => id === job?.fileId || workbookId === job?.source)
  const mapped = choices.filter(({ target }) => target).length
  return (
    <header className="page-head mapping-title">
      <div>
        <h1>{t('mapTitle', { sheet: sheet.name })}</h1>
        <p className="muted">
          {file && (
            <>
              <bdi>{file.name}</bdi>
              {' · '}
            </>
          )}
          {t('mapCount', { mapped, total: choices.length })}
        </p>
      </div>
      <div className="buttons">
        <Button onClick={() => navigate(`/s/${space.id}`)}>
          <ArrowLeft aria-hidden="true" className="directed" /> {t('back')}
        </Button>
        {confirm}
      </div>
    </header>
  )
}

interface QuestionsProps {
  choices: readonly Choice[]
  sheetId: string
  onChange(choice: Choice): void
}

function Questions({ choices, sheetId, onChange }: QuestionsProps) {
  const { t } = useTranslation()
  const asked = choices.filter(({ target, edge }) => target !== undefined && edge?.metadata?.question)
  if (asked.length === 0) return null
  return (
    <section className="questions" aria-label={t('pleaseCheck')}>
      <h2>{t('pleaseCheck')}</h2>
      {asked.map((choice) => (
        <QuestionCard
          key={choice.source.key}
          column={choice.source.label || choice.source.key}
          fieldKey={choice.target!}
          sheetId={sheetId}
          question={choice.edge!.metadata!.question!}
          chosen={choice.reading}
          onChoose={(reading) => onChange({ ...choice, reading })}
        />
      ))}
    </section>
  )
}
