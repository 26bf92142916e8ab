/** A search field and the options it filters: the inside of all pickers. */
import { Check, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Autocomplete, Input, type Key, ListBox, ListBoxItem, TextField, useFilter } from 'react-aria-components'
import { useTranslation } from '../texts/texts.tsx'
import { Loading } from './states.tsx'
import './dialog.css'
import './pickers.css'

export interface PickerOption {
  value: string
  label: string
  description?: string
  /** Searched in addition to the label and the description. */
  keywords?: string
}

export interface SearchProps {
  /** Called with each text, for options that are searched elsewhere. They are filtered here as well. */
  onSearch?(text: string): void
  /** Offers a text that is not an option. */
  onCreate?(text: string): void
  isLoading?: boolean
}

export type Choice = { value: string } | { text: string }

interface Props extends SearchProps {
  label: string
  options: readonly PickerOption[]
  selected: readonly string[]
  selectionMode?: 'single' | 'multiple'
  initialText?: string
  notice?: ReactNode
  createLabel?(text: string): string
  onToggle(value: string): void
  /** Replaces `onToggle` and `onCreate` for Enter and Tab. Without a choice, no option is highlighted. */
  onConfirm?(choice: Choice | undefined, event: ConfirmKey, text: string): void
  onBackspace?(): void
}

const MAX_VISIBLE = 100
const CREATE_KEY = '+'

const toKey = (value: string): string => `=${value}`
const fromKey = (key: Key): string => String(key).slice(1)

export function OptionList(props: Props) {
  const { label, options, selected, selectionMode = 'single', initialText = '', isLoading, onCreate, onSearch } = props
  const { t } = useTranslation()
  const [text, setText] = useState(initialText)
  const [choices, setChoices] = useState(0)
  const matches = useMatches(options, text)
  const typedText = text.trim()
  const canCreate = onCreate && !isLoading && typedText !== '' && matches[0]?.label !== typedText
  const visibleOptions = matches.slice(0, MAX_VISIBLE)
  const hiddenCount = matches.length - visibleOptions.length
  const selectedKeys = new Set<Key>(selected.map(toKey))
  const pick = (key: Key) => (key === CREATE_KEY ? onCreate?.(typedText) : props.onToggle(fromKey(key)))
  const handleKeys = useConfirmKeys({
    ...props,
    text,
    isLoading: isLoading === true,
    firstKey: visibleOptions[0] ? toKey(visibleOptions[0].value) : canCreate ? CREATE_KEY : undefined,
    onPick: pick,
    onClear() {
      setText('')
      setChoices((count) => count + 1)
    },
  })
  return (
    <Autocomplete
      inputValue={text}
      onInputChange={(next) => {
        setText(next)
        onSearch?.(next)
      }}
    >
      <div className="option-list" onKeyDownCapture={handleKeys}>
        <PickerInput label={label} />
        <div className="option-panel">
          {props.notice && <p className="option-notice">{props.notice}</p>}
          {/* A new list after each choice by keyboard has no highlight, so that the next Enter confirms. */}
          <ListBox
            key={choices}
            aria-label={label}
            className={`options ${typedText === '' ? '' : 'typed'}`}
            selectionMode={selectionMode}
            selectedKeys={selectedKeys}
            escapeKeyBehavior="none"
            onSelectionChange={(keys) => {
              const changedKey = keys === 'all' ? undefined : findDifference(keys, selectedKeys)
              if (changedKey !== undefined) pick(changedKey)
            }}
            renderEmptyState={() => <NoOptions isLoading={isLoading} />}
          >
            {visibleOptions.map((option) => (
              <OptionItem key={option.value} option={option} />
            ))}
            {canCreate && (
              <ListBoxItem id={CREATE_KEY} className="option" textValue={typedText}>
                {props.createLabel?.(typedText) ?? t('addNamed', { name: typedText })}
              </ListBoxItem>
            )}
          </ListBox>
          {hiddenCount > 0 && <p className="hint no-options">{t('moreOptions', { count: hiddenCount })}</p>}
        </div>
      </div>
    </Autocomplete>
  )
}

const findDifference = (keys: ReadonlySet<Key>, previous: ReadonlySet<Key>): Key | undefined =>
  [...keys].find((key) => !previous.has(key)) ?? [...previous].find((key) => !keys.has(key))

function NoOptions({ isLoading = false }: Pick<Props, 'isLoading'>) {
  const { t } = useTranslation()
  return isLoading ? <Loading /> : <p className="hint no-options">{t('nothingFound')}</p>
}

/** Enough of a key to confirm with, also after its event. */
export type ConfirmKey = Pick<KeyboardEvent, 'key' | 'shiftKey'>

interface ConfirmProps extends Pick<Props, 'selectionMode' | 'onConfirm' | 'onBackspace'> {
  text: string
  isLoading: boolean
  firstKey: Key | undefined
  onPick(key: Key): void
  onClear(): void
}

/**
 * Enter takes the highlighted option, or the first one right after typing, before a highlight is drawn. While options
 * are searched, it waits for them, so that a text is not taken instead of the option it would find.
 */
function useConfirmKeys(props: ConfirmProps) {
  const { text, isLoading, selectionMode, onConfirm, onBackspace } = props
  const waiting = useRef<{ key: ConfirmKey; text: string }>(undefined)
  const confirm = (event: ConfirmKey, highlighted?: string | null) => {
    const key = highlighted ?? (text.trim() === '' ? undefined : props.firstKey)
    if (selectionMode === 'multiple') props.onClear()
    if (!onConfirm) return key === undefined ? undefined : props.onPick(key)
    const choice = key === undefined ? undefined : key === CREATE_KEY ? { text: text.trim() } : { value: fromKey(key) }
    onConfirm(choice ?? (text.trim() === '' ? undefined : { text: text.trim() }), event, text)
  }
  const latestConfirm = useRef(confirm)
  latestConfirm.current = confirm
  useEffect(() => {
    const pending = waiting.current
    if (isLoading || !pending) return
    waiting.current = undefined
    if (pending.text === text) latestConfirm.current(pending.key)
  }, [isLoading, text])
  return (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Backspace' && text === '') onBackspace?.()
    if (event.key !== 'Enter' && !(event.key === 'Tab' && onConfirm)) return
    event.preventDefault()
    event.stopPropagation()
    const { key, shiftKey } = event
    if (isLoading && text.trim() !== '') waiting.current = { key: { key, shiftKey }, text }
    else
      confirm({ key, shiftKey }, event.currentTarget.querySelector('.option[data-focused]')?.getAttribute('data-key'))
  }
}

/** Focuses before the browser inserts the next key, so that quickly typed text is complete. */
function PickerInput({ label }: { label: string }) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const length = input.current?.value.length ?? 0
    input.current?.focus()
    input.current?.setSelectionRange(length, length)
  }, [])
  return (
    <TextField aria-label={`${t('search')}: ${label}`} className="option-search">
      <Search aria-hidden="true" />
      <Input ref={input} role="combobox" aria-expanded="true" placeholder={t('search')} dir="auto" />
    </TextField>
  )
}

function OptionItem({ option: { value, label, description } }: { option: PickerOption }) {
  return (
    <ListBoxItem id={toKey(value)} className="option" textValue={label}>
      {({ isSelected }) => (
        <>
          <span className="option-text">
            <span dir="auto">{label}</span>
            {description && (
              <span className="hint" dir="auto">
                {description}
              </span>
            )}
          </span>
          {isSelected && <Check aria-hidden="true" />}
        </>
      )}
    </ListBoxItem>
  )
}

/** An option equal to the text comes first, then those that start with it. */
function useMatches(options: readonly PickerOption[], text: string): readonly PickerOption[] {
  const { contains, startsWith } = useFilter({ sensitivity: 'base' })
  const wanted = text.trim()
  if (wanted === '') return options
  const getRank = ({ label, value }: PickerOption) => {
    if (!startsWith(label, wanted)) return value.toLowerCase() === wanted.toLowerCase() ? 0 : 2
    return label.length === wanted.length ? 0 : 1
  }
  return options
    .filter(({ label, description = '', keywords = '', value }) =>
      contains(`${label}\n${description}\n${keywords}\n${value}`, wanted),
    )
    .toSorted((a, b) => getRank(a) - getRank(b))
}
