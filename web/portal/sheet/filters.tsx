/** Filter buttons, search field and query field of a sheet. */
import { useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, SelectField } from '../../shared/ui/controls.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import type { Sheet } from '../queries.ts'
import type { Counts } from './counts.ts'
import type { Query } from './pages.ts'

interface Props {
  sheet: Sheet
  query: Query
  onChange(query: Partial<Query>): void
}

interface FiltersProps extends Props {
  overall: Counts | undefined
  errorsByField: Record<string, number>
}

export function Filters({ sheet, query, overall, errorsByField: errors, onChange }: FiltersProps) {
  const { t, number } = useTranslation()
  const filters = [
    { filter: undefined, text: t('all'), count: overall?.total },
    { filter: 'valid', text: t('valid'), count: overall?.valid },
    { filter: 'error', text: t('invalid'), count: overall?.error },
  ] as const
  const fieldsWithErrors = sheet.config.fields.filter(({ key }) => errors[key])
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
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
      {query.filter === 'error' && (
        <SelectField
          hideLabel
          label={t('errorsIn')}
          value={query.filterField ?? ''}
          options={[
            { value: '', label: t('errorsAnywhere') },
            ...fieldsWithErrors.map(({ key, label }) => ({
              value: key,
              label: `${label || key} (${number(errors[key]!)})`,
            })),
          ]}
          onChange={(event) => onChange({ filterField: event.target.value || undefined })}
        />
      )}
    </>
  )
}

export function SearchFields({ sheet, query, onChange }: Props) {
  const { t } = useTranslation()
  const [expression, setExpression] = useState(query.q ?? '')
  return (
    <search className="toolbar-row">
      <SearchField
        label={t('search')}
        value={query.searchValue ?? ''}
        onChange={(text) => onChange({ searchValue: text || undefined })}
      />
      <SelectField
        hideLabel
        label={t('searchIn')}
        value={query.searchField ?? ''}
        options={[
          { value: '', label: t('everyField') },
          ...sheet.config.fields.map(({ key, label }) => ({ value: key, label: label || key })),
        ]}
        onChange={(event) => onChange({ searchField: event.target.value || undefined })}
      />
      <form
        className="grow query"
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
    </search>
  )
}
