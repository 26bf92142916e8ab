import { SlidersHorizontal } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, SelectField } from '../../shared/ui/controls.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import type { Sheet } from '../queries.ts'
import type { Counts } from './counts.ts'
import type { Query } from './pages.ts'

interface Props {
  sheet: Sheet
  query: Query
  errors: Readonly<Record<string, number>>
  onChange(query: Partial<Query>, replaces?: boolean): void
}

interface FiltersProps extends Props {
  overall: Counts | undefined
  warnings: number | undefined
}

export function Filters({ query, overall, warnings, onChange }: FiltersProps) {
  const { t, number } = useTranslation()
  const filters = [
    { filter: undefined, text: t('all'), count: overall?.total },
    { filter: 'valid', text: t('valid'), count: overall?.valid },
    { filter: 'error', text: t('invalid'), count: overall?.error },
    ...(warnings || query.filter === 'warning'
      ? [{ filter: 'warning', text: t('warnings'), count: warnings } as const]
      : []),
  ] as const
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className="segments" role="group" aria-label={t('filter')}>
      {filters.map(({ filter, text, count }) => (
        <button
          key={text}
          type="button"
          aria-pressed={query.filter === filter}
          onClick={() => onChange({ filter, filterField: undefined })}
        >
          {text} {count !== undefined && <span className="count">{number(count)}</span>}
        </button>
      ))}
    </div>
  )
}

export function SearchFields({
  sheet,
  query,
  errors,
  input,
  onChange,
}: Props & { input: RefObject<HTMLInputElement | null> }) {
  const { t, number } = useTranslation()
  const isFiltered = query.filter === 'error' || query.filter === 'warning'
  const shownFields = query.filter === 'error' ? sheet.config.fields.filter(({ key }) => errors[key]) : undefined
  const chooseField = (key: string | undefined) =>
    onChange({ searchField: key, filterField: isFiltered ? key : undefined })
  return (
    <search className="search">
      <SearchField
        label={t('search')}
        value={query.searchValue ?? ''}
        input={input}
        onChange={(text) => onChange({ searchValue: text || undefined }, true)}
      />
      <SelectField
        hideLabel
        label={t('inField')}
        value={query.filterField ?? query.searchField ?? ''}
        options={[
          { value: '', label: t('everyField') },
          ...(shownFields ?? sheet.config.fields).map(({ key, label }) => ({
            value: key,
            label: shownFields ? `${label || key} (${number(errors[key]!)})` : label || key,
          })),
        ]}
        onChange={(event) => chooseField(event.target.value || undefined)}
      />
    </search>
  )
}

export function AdvancedToggle({ isOpen, onToggle }: { isOpen: boolean; onToggle(): void }) {
  const { t } = useTranslation()
  return (
    <Button
      kind="ghost"
      className="icon wide-only"
      aria-expanded={isOpen}
      aria-label={t('advanced')}
      title={t('advanced')}
      onClick={onToggle}
    >
      <SlidersHorizontal aria-hidden="true" />
    </Button>
  )
}

export function QueryField({ query, onChange }: Pick<Props, 'query' | 'onChange'>) {
  const { t } = useTranslation()
  const [expression, setExpression] = useState(query.q ?? '')
  useEffect(() => setExpression(query.q ?? ''), [query.q])
  return (
    <form
      className="toolbar-row query"
      onSubmit={(event) => {
        event.preventDefault()
        onChange({ q: expression || undefined })
      }}
    >
      <input
        aria-label={t('query')}
        placeholder={t('queryExample')}
        value={expression}
        spellCheck={false}
        dir="ltr"
        onChange={(event) => setExpression(event.target.value)}
      />
      <Button type="submit">{t('apply')}</Button>
    </form>
  )
}
