import { useQuery } from '@tanstack/react-query'
import { isTargetWorkbook } from '../../portal/queries.ts'
import type { Shape } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { Badge, Empty, QueryView } from '../../shared/ui/states.tsx'
import { type Space, workbooksQuery } from '../data.ts'
import { Details, Section, ShowJson, TimeAgo } from '../parts/page.tsx'
import { CopyableValue } from '../parts/values.tsx'

export function SpaceOverview({ space }: { space: Space }) {
  const { t } = useTranslation()
  const workbooks = useQuery(workbooksQuery(space.id))
  return (
    <>
      <Details
        items={[
          [t('guestLink'), space.guestLink && <CopyableValue value={space.guestLink} name={t('guestLink')} />],
          [t('guestSignIn'), t(space.guestAuthentication === 'magic_link' ? 'magicLink' : 'sharedLink')],
          [t('lastActivity'), <TimeAgo key="activity" time={space.lastActivityAt ?? space.updatedAt} />],
          [t('created'), <TimeAgo key="created" time={space.createdAt} />],
          [t('createdBy'), space.createdByUserName],
        ]}
      />
      <QueryView query={workbooks}>
        {(found) => {
          const targets = found.filter(isTargetWorkbook)
          if (targets.length === 0) return <Empty title={t('noSheetsYet')}>{t('noSheetsYetText')}</Empty>
          return targets.map((workbook) => <WorkbookSheets key={workbook.id} space={space} workbook={workbook} />)
        }}
      </QueryView>
      <ShowJson value={space} />
    </>
  )
}

function WorkbookSheets({ space, workbook }: { space: Space; workbook: Shape<'Workbook'> }) {
  const { t, number } = useTranslation()
  const getCount = ({ recordCounts }: Shape<'Sheet'>, kind: 'total' | 'valid' | 'error') => recordCounts?.[kind] ?? 0
  const title = workbook.name || t('workbook')
  return (
    <Section title={title}>
      <DataTable
        label={title}
        rows={workbook.sheets ?? []}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/s/${space.id}/sheets/${id}`}
        empty={t('noSheets')}
        columns={[
          { id: 'name', title: t('sheet'), isMain: true, sortValue: ({ name }) => name, render: ({ name }) => name },
          {
            id: 'total',
            title: t('records'),
            sortValue: (sheet) => getCount(sheet, 'total'),
            render: (sheet) => number(getCount(sheet, 'total')),
          },
          {
            id: 'valid',
            title: t('valid'),
            sortValue: (sheet) => getCount(sheet, 'valid'),
            render: (sheet) => number(getCount(sheet, 'valid')),
          },
          {
            id: 'errors',
            title: t('invalid'),
            sortValue: (sheet) => getCount(sheet, 'error'),
            render: (sheet) => {
              const count = getCount(sheet, 'error')
              return count > 0 ? <Badge tone="bad">{number(count)}</Badge> : number(0)
            },
          },
          { id: 'changed', title: t('changed'), render: ({ updatedAt }) => <TimeAgo time={updatedAt} /> },
        ]}
      />
    </Section>
  )
}
