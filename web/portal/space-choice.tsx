/** Switches to another space: a short list, or a search among many. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from '../shared/api/client.ts'
import { useSession } from '../shared/api/session.ts'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Combobox } from '../shared/ui/combobox.tsx'
import { SelectField } from '../shared/ui/controls.tsx'
import { useErrorToast } from '../shared/ui/errors.ts'
import { toast } from '../shared/ui/toast.tsx'
import { type Space, spacesQuery } from './queries.ts'

const OTHER_SPACES = 'others'
const MAX_LISTED = 8
const SEARCH_DEBOUNCE_MS = 150

export function SpaceChoice({ space }: { space: Space }) {
  const { t } = useTranslation()
  const showError = useErrorToast()
  const [, navigate] = useLocation()
  const session = useSession()
  const { spaces, total, isLoading, search } = useSpaces()
  const email = session?.byShared ? session.email : undefined
  const mailLink = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/invitations/exchange', { body: { email, spaceId: space.id } })),
    onSuccess: () => toast(t('linkSent', { email: email ?? '' })),
    onError: showError,
  })
  const listed = spaces.some(({ id }) => id === space.id) ? spaces : [space, ...spaces]
  const options = [
    ...listed.map(({ id, name }) => ({ value: id, label: name || t('unnamed') })),
    ...(email ? [{ value: OTHER_SPACES, label: t('otherSpaces') }] : []),
  ]
  const choose = (value: string) => (value === OTHER_SPACES ? mailLink.mutate() : navigate(`/s/${value}`))
  return (
    <div className="space-choice">
      {total > MAX_LISTED ? (
        <Combobox
          hideLabel
          label={t('space')}
          options={options}
          value={space.id}
          isLoading={isLoading}
          onSearch={search}
          onChange={choose}
        />
      ) : (
        <SelectField
          hideLabel
          label={t('space')}
          value={space.id}
          options={options}
          onChange={({ target }) => choose(target.value)}
        />
      )}
    </div>
  )
}

function useSpaces() {
  const [text, setText] = useState('')
  const [searched, setSearched] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text.trim()), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const all = useQuery(spacesQuery())
  const found = useQuery({ ...spacesQuery(searched), placeholderData: keepPreviousData })
  return {
    spaces: found.data?.data ?? [],
    total: all.data?.pagination.totalCount ?? 0,
    isLoading: found.isFetching || text.trim() !== searched,
    search: setText,
  }
}
