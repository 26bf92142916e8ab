/** Search over everything: opened by Ctrl+K, used by keyboard. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { OptionList } from '../../shared/ui/option-list.tsx'
import { type PageProps, usePath } from '../data.ts'
import { GROUPS, PAGES, PROFILE_PAGES } from '../navigation.ts'
import { findEverywhere, type Hit } from './search.ts'

const DEBOUNCE_MS = 200
const MIN_LENGTH = 2

export default function Palette({ environment, onClose }: PageProps & { onClose(): void }) {
  const i18n = useTranslation()
  const { t } = i18n
  const path = usePath()
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const search = useDebounced(text.trim())
  const isSearching = search.length >= MIN_LENGTH
  const found = useQuery({
    queryKey: ['palette', environment.id, search, i18n.language],
    queryFn: () => findEverywhere(environment, search, i18n),
    enabled: isSearching,
    placeholderData: keepPreviousData,
  })
  const pages = usePageHits(text.trim())
  const hits = [...pages, ...(isSearching ? (found.data ?? []) : [])]
  return (
    <Dialog title={t('search')} onClose={onClose}>
      <div className="palette">
        <OptionList
          label={t('everything')}
          options={hits.map(({ label, description, page }) => ({ value: page.join('/'), label, description }))}
          selected={[]}
          onSearch={setText}
          isLoading={search !== text.trim() || (isSearching && found.isFetching)}
          onToggle={(page) => {
            onClose()
            navigate(path(page))
          }}
        />
        {found.error && <p className="hint">{t('searchFailed')}</p>}
      </div>
    </Dialog>
  )
}

function usePageHits(text: string): Hit[] {
  const { t } = useTranslation()
  const names = [...GROUPS.flatMap(({ pages }) => pages), ...PROFILE_PAGES]
  return names
    .map((name) => ({ label: t(PAGES[name]!.title), description: t('page'), page: [name] }))
    .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
}

function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
