import type { I18n } from '../../shared/texts/texts.tsx'
import type { TableColumn } from '../../shared/ui/data-table.tsx'

interface Person {
  name?: string | undefined
  email: string
}

export const buildPersonColumns = <P extends Person>(t: I18n['t']): TableColumn<P>[] => [
  {
    id: 'name',
    title: t('name'),
    isMain: true,
    sortValue: ({ name }) => name,
    render: ({ name, email }) => <bdi>{name || email}</bdi>,
  },
  { id: 'email', title: t('email'), sortValue: ({ email }) => email, render: ({ email }) => <bdi>{email}</bdi> },
]
