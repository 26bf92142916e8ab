/** Editors that search options: typing filters, Enter takes the highlighted one, Escape keeps the value. */
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Tags, toggleValue } from '../../shared/ui/multi-select.tsx'
import { type Choice, type ConfirmKey, OptionList } from '../../shared/ui/option-list.tsx'
import type { Sheet, SheetField } from '../queries.ts'
import { formatValue, type ValueCell } from './cells.ts'
import { type CellOption, getFieldOptions, suggestOptions, useFieldOptions } from './choices.ts'
import { type EditorProps, getMove, useFinishEditing, withValue } from './editing.ts'
import { EditorFrame } from './editor-frame.tsx'

const getOriginal = ({ value }: EditorProps): unknown => (value as ValueCell).typedValue
const getLabel = (field: SheetField): string => field.label || field.key

function toValue(options: readonly CellOption[], choice: Choice): unknown {
  if ('text' in choice) return choice.text
  const option = options.find(({ value }) => value === choice.value)
  return option ? option.typedValue : choice.value || null
}

export function OptionEditor(props: EditorProps & { field: SheetField }) {
  const { field } = props
  const { t } = useTranslation()
  const [options] = useState(() => getFieldOptions(field, t))
  const current = formatValue(getOriginal(props))
  const isOption = current === '' || options.some(({ value }) => value === current)
  const acceptsAny = field.type === 'enum' && field.config.allowCustom === true
  return (
    <SingleEditor
      {...props}
      options={isOption || acceptsAny ? options : suggestOptions(options, current, t('suggestion'))}
      notice={isOption || acceptsAny ? undefined : t('notAnOption', { value: current })}
      isStrict={!acceptsAny}
    />
  )
}

export function ReferenceEditor(props: EditorProps & { field: SheetField; sheets: readonly Sheet[] }) {
  const search = useFieldOptions(props.field, props.sheets, props.initialValue ?? '')
  return <SingleEditor {...props} {...search} isStrict />
}

interface SingleProps extends EditorProps {
  field: SheetField
  options: CellOption[]
  notice?: string
  isStrict: boolean
  isLoading?: boolean
  onSearch?(text: string): void
}

function SingleEditor(props: SingleProps) {
  const { value, field, options, isStrict, onChange } = props
  const { t } = useTranslation()
  const { finish, keepFocus, handleEscape } = useFinishEditing(props)
  const original = getOriginal(props)
  // A click outside keeps the value: until a choice is made, the typed text is only a search.
  const latestOnChange = useRef(() => onChange(withValue(value, original)))
  useEffect(() => latestOnChange.current(), [])
  const current = formatValue(original)
  const clearOption = { value: '', label: t('emptyText'), typedValue: null }
  return (
    <EditorFrame label={getLabel(field)} target={props.target} onKeyDownCapture={handleEscape} onBlur={keepFocus}>
      <OptionList
        label={getLabel(field)}
        options={current === '' ? options : [...options, clearOption]}
        selected={current === '' ? [] : [current]}
        initialText={props.initialValue}
        notice={props.notice}
        isLoading={props.isLoading}
        createLabel={isStrict ? (name) => t('useAnyway', { name }) : undefined}
        onSearch={props.onSearch}
        onToggle={(next) => finish(withValue(value, toValue(options, { value: next })))}
        onCreate={(text) => finish(withValue(value, text))}
        onConfirm={(choice, event) => finish(choice && withValue(value, toValue(options, choice)), getMove(event))}
      />
    </EditorFrame>
  )
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : value == null ? [] : [value])

export function ListEditor(props: EditorProps & { field: SheetField; sheets: readonly Sheet[] }) {
  const { value, field, sheets, onChange } = props
  const { t } = useTranslation()
  const { finish, keepFocus, handleEscape } = useFinishEditing(props)
  const { options, ...search } = useFieldOptions(field, sheets, props.initialValue ?? '')
  const [list, setList] = useState(() => toList(getOriginal(props)))
  const selected = list.map(formatValue)
  const toListValue = (key: string): unknown =>
    list.find((each) => formatValue(each) === key) ?? options.find((option) => option.value === key)?.typedValue ?? key
  const change = (keys: string[]): unknown[] => {
    const next = keys.map(toListValue)
    setList(next)
    onChange(withValue(value, next.length > 0 ? next : null))
    return next
  }
  const confirm = (choice: Choice | undefined, event: ConfirmKey, text: string) => {
    const isTyped = text.trim() !== ''
    const key = choice && ('text' in choice ? choice.text : choice.value)
    const takesKey = key !== undefined && (event.key === 'Enter' || isTyped)
    const next = takesKey ? change(toggleValue(selected, key)) : list
    if (event.key === 'Enter' && key !== undefined) return
    finish(withValue(value, next.length > 0 ? next : null), getMove(event))
  }
  return (
    <EditorFrame label={getLabel(field)} target={props.target} onKeyDownCapture={handleEscape} onBlur={keepFocus}>
      <Tags label={getLabel(field)} options={options} value={selected} onChange={change} />
      <OptionList
        {...search}
        label={getLabel(field)}
        options={options}
        selected={selected}
        selectionMode="multiple"
        initialText={props.initialValue}
        createLabel={field.type === 'string-list' ? undefined : (name) => t('useAnyway', { name })}
        onToggle={(key) => change(toggleValue(selected, key))}
        onCreate={(text) => change(toggleValue(selected, text))}
        onConfirm={confirm}
        onBackspace={() => change(selected.slice(0, -1))}
      />
    </EditorFrame>
  )
}
