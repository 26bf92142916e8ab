/** A search field and the options it filters: the inside of all pickers. */
import { Check, Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import {
  SearchField as AriaSearchField,
  Autocomplete,
  Input,
  type Key,
  ListBox,
  ListBoxItem,
  Text,
  useFilter,
} from 'react-aria-components'
import { useTranslation } from '../texts/texts.tsx'
import { Loading } from './states.tsx'
import './dialog.css'
import './pickers.css'

export interface PickerOption {
  value: string
  label: string
  description?: string
}

export interface SearchProps {
  /** Called with the text instead of filtering: the options are the results of a search elsewhere. */
  onSearch?(text: string): void
  /** Offers a text that is not an option yet. */
  onCreate?(text: string): void
  isLoading?: boolean
}

interface Props extends SearchProps {
  label: string
  options: readonly PickerOption[]
  selected: readonly string[]
  selectionMode?: 'single' | 'multiple'
  initialText?: string
  onToggle(value: string): void
}

const MAX_VISIBLE = 100
const CREATE_KEY = '+'

const toKey = (value: string): string => `=${value}`

export function OptionList({ label, options, selected, selectionMode = 'single', onToggle, ...props }: Props) {
  const { t } = useTranslation()
  const { initialText = '', onSearch, onCreate, isLoading = false } = props
  const [text, setText] = useState(initialText)
  const matches = useMatches(options, onSearch ? '' : text)
  const canCreate = onCreate && text.trim() !== '' && !options.some((option) => option.label === text.trim())
  const visibleOptions = matches.slice(0, MAX_VISIBLE)
  const hiddenCount = matches.length - visibleOptions.length
  const selectedKeys = new Set<Key>(selected.map(toKey))
  const handleSelection = (keys: Set<Key>) => {
    if (keys.has(CREATE_KEY)) return onCreate?.(text.trim())
    const key = [...keys].find((each) => !selectedKeys.has(each)) ?? [...selectedKeys].find((each) => !keys.has(each))
    if (key !== undefined) onToggle(String(key).slice(1))
  }
  return (
    <Autocomplete
      inputValue={text}
      onInputChange={(next) => {
        setText(next)
        onSearch?.(next)
      }}
    >
      <PickerInput label={label} />
      <ListBox
        aria-label={label}
        className="options"
        selectionMode={selectionMode}
        selectedKeys={selectedKeys}
        onSelectionChange={(keys) => keys !== 'all' && handleSelection(keys)}
        renderEmptyState={() => (isLoading ? <Loading /> : <p className="hint no-options">{t('nothingFound')}</p>)}
      >
        {visibleOptions.map((option) => (
          <OptionItem key={option.value} option={option} />
        ))}
        {canCreate && (
          <ListBoxItem id={CREATE_KEY} className="option" textValue={text}>
            {t('addNamed', { name: text.trim() })}
          </ListBoxItem>
        )}
      </ListBox>
      {hiddenCount > 0 && <p className="hint no-options">{t('moreOptions', { count: hiddenCount })}</p>}
    </Autocomplete>
  )
}

/** Focuses before the browser inserts the next key, so that quickly typed text is complete. */
function PickerInput({ label }: { label: string }) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const length = input.current?.value.length ?? 0
    input.current?.focus()
    input.current?.setSelectionRange(length, length)
  }, [])
  return (
    <AriaSearchField aria-label={`${t('search')}: ${label}`} className="option-search">
      <Search aria-hidden="true" />
      <Input ref={input} placeholder={t('search')} dir="auto" />
    </AriaSearchField>
  )
}

function OptionItem({ option: { value, label, description } }: { option: PickerOption }) {
  return (
    <ListBoxItem id={toKey(value)} className="option" textValue={label}>
      {({ isSelected }) => (
        <>
          <span className="option-text">
            <Text slot="label" dir="auto">
              {label}
            </Text>
            {description && (
              <Text slot="description" className="hint" dir="auto">
                {description}
              </Text>
            )}
          </span>
          {isSelected && <Check aria-hidden="true" />}
        </>
      )}
    </ListBoxItem>
  )
}

/** Options that start with the text come first. */
function useMatches(options: readonly PickerOption[], text: string): readonly PickerOption[] {
  const { contains, startsWith } = useFilter({ sensitivity: 'base' })
  const wanted = text.trim()
  if (wanted === '') return options
  const matches = options.filter(({ label, description, value }) =>
    contains(`${label}\n${description ?? ''}\n${value}`, wanted),
  )
  const isPrefixed = ({ label }: PickerOption) => startsWith(label, wanted)
  return [...matches.filter(isPrefixed), ...matches.filter((option) => !isPrefixed(option))]
}
