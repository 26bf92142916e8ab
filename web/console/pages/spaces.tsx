import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from '../../shared/api/client.ts'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, SelectField } from '../../shared/ui/controls.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { type PageProps, type Space, usePath } from '../data.ts'
import { PageHeader, TimeAgo } from '../parts/page.tsx'
import { PagedTable, useFilter, usePages } from '../parts/paging.tsx'
import { NewSpaceDialog } from '../space/form.tsx'

const SORTS = {
  lastActivityAt: { text: 'lastActivity', sortDirection: 'desc' },
  name: { text: 'name', sortDirection: 'asc' },
  createdAt: { text: 'created', sortDirection: 'desc' },
  filesCount: { text: 'filesTotal', sortDirection: 'desc' },
} as const

export default function Spaces({ environment }: PageProps) {
  const { t } = useTranslation()
  const [search, setSearch] = useFilter('search')
  const [state, setState] = useFilter('state')
  const [sort, setSort] = useFilter('sort', 'lastActivityAt')
  const sortField = sort in SORTS ? (sort as keyof typeof SORTS) : 'lastActivityAt'
  const list = usePages(['spaces', environment.id, search, state, sortField], (page) =>
    unwrap(
      api.GET('/api/v1/spaces', {
        params: {
          query: {
            environmentId: environment.id,
            search: search || undefined,
            archived: state === 'archived',
            sortField,
            sortDirection: SORTS[sortField].sortDirection,
            ...page,
          },
        },
      }),
    ),
  )
  return (
    <>
      <PageHeader title={t('spaces')} text={t('spacesText')}>
        <NewSpaceButton />
      </PageHeader>
      <div className="filters">
        <SearchField label={t('searchSpaces')} value={search} onChange={setSearch} />
        <SelectField
          hideLabel
          label={t('status')}
          value={state}
          options={[
            { value: '', label: t('active') },
            { value: 'archived', label: t('archived') },
          ]}
          onChange={({ target }) => setState(target.value)}
        />
        <SelectField
          hideLabel
          label={t('sortBy')}
          value={sortField}
          options={Object.entries(SORTS).map(([value, { text }]) => ({
            value,
            label: `${t('sortBy')}: ${t(text)}`,
          }))}
          onChange={({ target }) => setSort(target.value)}
        />
      </div>
      <PagedTable
        label={t('spaces')}
        list={list}
        columns={useSpaceColumns()}
        rowKey={({ id }) => id}
        rowHref={useSpaceHref()}
        empty={search || state ? t('nothingFound') : <Empty title={t('noSpacesYet')}>{t('noSpacesYetText')}</Empty>}
      />
    </>
  )
}

export function NewSpaceButton() {
  const { t } = useTranslation()
  const path = usePath()
  const [, navigate] = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button kind="primary" onClick={() => setIsOpen(true)}>
        {t('newSpace')}
      </Button>
      {isOpen && <NewSpaceDialog onDone={({ id }) => navigate(path('spaces', id))} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function useSpaceHref(): (space: Space) => string {
  const path = usePath()
  return ({ id }) => path('spaces', id)
}

function useSpaceColumns(): Parameters<typeof DataTable<Space>>[0]['columns'] {
  const { t, number } = useTranslation()
  return [
    { id: 'name', title: t('name'), isMain: true, render: ({ name }) => <bdi>{name || t('unnamed')}</bdi> },
    { id: 'workbooks', title: t('workbooks'), render: ({ workbooksCount = 0 }) => number(workbooksCount) },
    { id: 'files', title: t('files'), render: ({ filesCount = 0 }) => number(filesCount) },
    { id: 'createdBy', title: t('createdBy'), render: ({ createdByUserName }) => createdByUserName },
    {
      id: 'activity',
      title: t('lastActivity'),
      render: ({ lastActivityAt, updatedAt }) => <TimeAgo time={lastActivityAt ?? updatedAt} />,
    },
  ]
}

export function SpacesTable({ spaces }: { spaces: readonly Space[] }) {
  const { t } = useTranslation()
  return (
    <DataTable
      label={t('spaces')}
      rows={spaces}
      columns={useSpaceColumns()}
      rowKey={({ id }) => id}
      rowHref={useSpaceHref()}
      empty={t('nothingFound')}
    />
  )
}
