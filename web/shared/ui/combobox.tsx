/** A choice from a long list that can be searched. Short lists use `SelectField`. */
import { ChevronsUpDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { Popover } from 'react-aria-components'
import { useTranslation } from '../texts/texts.tsx'
import { OptionList, type PickerOption, type SearchProps } from './option-list.tsx'
import './controls.css'

export type { PickerOption } from './option-list.tsx'

interface Props extends SearchProps {
  label: string
  hideLabel?: boolean
  hint?: ReactNode
  options: readonly PickerOption[]
  value: string
  onChange(value: string): void
  placeholder?: string
  isDisabled?: boolean
}

export function Combobox({ label, hideLabel = false, hint, options, value, onChange, ...props }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const picker = usePicker()
  const { onCreate } = props
  const closeWith = (change: (value: string) => void) => (next: string) => {
    picker.close()
    change(next)
  }
  const selectedLabel = options.find((option) => option.value === value)?.label ?? value
  return (
    <div className="field picker-field">
      <span id={`${id}-label`} className={hideLabel ? 'visually-hidden' : 'label'}>
        {label}
      </span>
      <button
        {...picker.triggerProps}
        className="picker"
        aria-labelledby={`${id}-label ${id}-value`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        disabled={props.isDisabled}
      >
        <span id={`${id}-value`} className={`clip grow ${selectedLabel ? '' : 'muted'}`} dir="auto">
          {selectedLabel || (props.placeholder ?? t('choose'))}
        </span>
        <ChevronsUpDown aria-hidden="true" />
      </button>
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      <PickerPopover picker={picker} label={label}>
        <OptionList
          label={label}
          options={options}
          selected={value === '' && !options.some((option) => option.value === '') ? [] : [value]}
          initialText={picker.initialText}
          onToggle={closeWith(onChange)}
          onSearch={props.onSearch}
          onCreate={onCreate && closeWith(onCreate)}
          isLoading={props.isLoading}
        />
      </PickerPopover>
    </div>
  )
}

type Picker = ReturnType<typeof usePicker>

/** A button that opens a popover by a click, Enter, an arrow key, or the first letter of a search. */
export function usePicker() {
  const trigger = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [initialText, setInitialText] = useState('')
  const open = (text = '') => {
    setInitialText(text)
    setIsOpen(true)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    const isText = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey
    if (!isText && event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    open(isText ? event.key : '')
  }
  const triggerProps = {
    ref: trigger,
    type: 'button' as const,
    'aria-haspopup': 'dialog' as const,
    'aria-expanded': isOpen,
    onClick: () => (isOpen ? setIsOpen(false) : open()),
    onKeyDown: handleKeyDown,
  }
  return { trigger, isOpen, setIsOpen, initialText, triggerProps, close: () => setIsOpen(false) }
}

interface PopoverProps {
  picker: Picker
  label: string
  /** What the popover is aligned with, if not with the button. */
  anchor?: RefObject<HTMLElement | null>
  children: ReactNode
}

export function PickerPopover({ picker, label, anchor = picker.trigger, children }: PopoverProps) {
  return (
    <Popover
      triggerRef={anchor}
      isOpen={picker.isOpen}
      onOpenChange={picker.setIsOpen}
      placement="bottom start"
      aria-label={label}
      className="popover picker-popover"
    >
      {children}
    </Popover>
  )
}
