/** The workbooks that new spaces of an environment start with, taken over from one of its spaces. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button } from '../../shared/ui/controls.tsx'
import { Empty, QueryView } from '../../shared/ui/states.tsx'
import { toast } from '../../shared/ui/toast.tsx'
import { loadWorkbook, replaceDefault } from '../builder/create.ts'
import { type Environment, objectQuery, spaceNamesQuery } from '../data.ts'
import { DeleteButton, useRefresh } from '../parts/actions.tsx'
import { FormDialog } from '../parts/forms.tsx'
import { Section } from '../parts/page.tsx'

export function DefaultWorkbook({ environment }: { environment: Environment }) {
  const { t } = useTranslation()
  const [isChoosing, setIsChoosing] = useState(false)
  const path = { environmentId: environment.id }
  const autobuilds = useQuery(
    objectQuery(['autobuilds', environment.id], () =>
      unwrap(api.GET('/api/v1/environments/{environmentId}/autobuilds', { params: { path } })),
    ),
  )
  const current = autobuilds.data?.find(({ appId }) => appId === undefined)
  return (
    <Section
      title={t('defaultWorkbook')}
      actions={
        <>
          {current && (
            <DeleteButton
              name={t('defaultWorkbook')}
              label={t('remove')}
              text={t('removeDefaultText')}
              onDelete={() =>
                unwrap(
                  api.DELETE('/api/v1/environments/{environmentId}/autobuilds/{autobuildId}', {
                    params: { path: { ...path, autobuildId: current.id } },
                  }),
                )
              }
              invalidates={['autobuilds']}
            />
          )}
          <Button onClick={() => setIsChoosing(true)}>{t(current ? 'replaceDefault' : 'chooseDefault')}</Button>
        </>
      }
    >
      <QueryView query={autobuilds}>
        {() => (current ? <Workbooks workbooks={current.workbooks} /> : <Empty title={t('noDefaultWorkbook')} />)}
      </QueryView>
      {isChoosing && <ChooseDialog environmentId={environment.id} onClose={() => setIsChoosing(false)} />}
    </Section>
  )
}

function Workbooks({ workbooks }: { workbooks: Shape<'Autobuild'>['workbooks'] }) {
  return (
    <ul className="rows">
      {workbooks.map(({ name, sheets }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is shown
        <li key={index}>
          <span className="grow" dir="auto">
            {name}
          </span>
          <span className="hint" dir="auto">
            {(sheets ?? []).map((sheet) => sheet.name).join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}

function ChooseDialog({ environmentId, onClose }: { environmentId: string; onClose(): void }) {
  const { t } = useTranslation()
  const refresh = useRefresh()
  const spaces = useQuery(spaceNamesQuery(environmentId))
  if (!spaces.data) return null
  return (
    <FormDialog
      title={t('chooseDefault')}
      text={t('chooseDefaultText')}
      action={t('save')}
      fields={[
        {
          name: 'spaceId',
          label: t('space'),
          options: spaces.data.map(({ id, name }) => ({ value: id, label: name || t('unnamed') })),
        },
      ]}
      submit={async ({ spaceId = '' }) => {
        const workbook = spaceId && (await loadWorkbook(spaceId))
        if (!workbook) throw new Error(t('spaceHasNoWorkbook'))
        return replaceDefault(environmentId, toBlueprint(workbook))
      }}
      onDone={() => {
        refresh('autobuilds')
        toast(t('saved'))
        onClose()
      }}
      onClose={onClose}
    />
  )
}

const toBlueprint = ({ name, labels, settings, metadata, namespace, actions, sheets = [] }: Shape<'Workbook'>) => ({
  ...{ name, labels, settings, metadata, namespace, actions },
  sheets: sheets.map((sheet) => ({ ...sheet.config, name: sheet.name, slug: sheet.slug })),
})
