/** Tells which earlier import a mapping repeats, and what of it does not fit this file. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Repeat } from 'lucide-react'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { getSheets, type Job, type Space, workbooksQuery } from '../queries.ts'
import { useCreateMapping } from './use-create-mapping.ts'

type Used = NonNullable<Shape<'Plan'>['recipe']>

export function UsedRecipe({ space, job, recipe }: { space: Space; job: Job; recipe: Used }) {
  const { t, translate } = useTranslation()
  const left = recipe.steps.filter(({ problem }) => problem !== undefined)
  const startFresh = useStartFresh(space, job)
  return (
    <section className="used-recipe">
      <div className="used-recipe-head">
        <Repeat aria-hidden="true" />
        <p className="grow" dir="auto">
          {t('mappedAsLastTime', { name: recipe.name })}
        </p>
        <Button kind="ghost" busy={startFresh.isPending} onClick={() => startFresh.mutate()}>
          {t('startFresh')}
        </Button>
      </div>
      {left.length > 0 && (
        <details open>
          <summary>{t('stepsLeft', { count: left.length })}</summary>
          <ul className="bullets">
            {left.map(({ text, problem }) => (
              <li key={text} dir="auto">
                {translate(text)}: {translate(problem ?? '')}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function useStartFresh(space: Space, job: Job) {
  const client = useQueryClient()
  const showError = useErrorToast()
  const create = useCreateMapping(space)
  return useMutation({
    async mutationFn() {
      const config = job.config as { sourceSheetId: string; destinationSheetId: string }
      const sheets = getSheets(await client.ensureQueryData(workbooksQuery(space.id)))
      const source = sheets.find(({ id }) => id === config.sourceSheetId)
      const target = sheets.find(({ id }) => id === config.destinationSheetId)
      if (!source || !target) throw new Error('The sheets of the job are gone.')
      await create.mutateAsync({ file: { id: job.fileId }, source, target, recipe: false })
      await unwrap(api.POST('/api/v1/jobs/{jobId}/cancel', { params: { path: { jobId: job.id } }, body: {} }))
      await client.invalidateQueries({ queryKey: ['jobs', space.id] })
    },
    onError: showError,
  })
}
