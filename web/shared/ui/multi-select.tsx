/** Several choices from a list, shown as tags. */
import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { Button as AriaButton, Tag, TagGroup, TagList } from 'react-aria-components'
import { useTranslation } from '../texts/texts.tsx'
import { PickerPopover, usePicker } from './combobox.tsx'
import { OptionList, type PickerOption, type SearchProps } from './option-list.tsx'

interface Props extends SearchProps {
  label: string
  options: readonly PickerOption[]
  value: readonly string[]
  onChange(value: string[]): void
  isDisabled?: boolean
}

export const toggleValue = (values: readonly string[], value: string): string[] =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value]

export function MultiSelect({ label, options, value, onChange, isDisabled, onCreate, ...search }: Props) {
  const { t } = useTranslation()
  const picker = usePicker()
  const field = useRef<HTMLDivElement>(null)
  return (
    <div className="field">
      <span className="label">{label}</span>
      <div ref={field} className="tag-field">
        <Tags label={label} options={options} value={value} onChange={isDisabled ? undefined : onChange} />
        <button
          {...picker.triggerProps}
          className="button ghost add-tag"
          aria-label={`${t('choose')} ${label}`}
          disabled={isDisabled}
        >
          <Plus aria-hidden="true" />
          {value.length === 0 && t('choose')}
        </button>
      </div>
      <PickerPopover picker={picker} label={label} anchor={field}>
        <OptionList
          {...search}
          label={label}
          options={options}
          selected={value}
          selectionMode="multiple"
          initialText={picker.initialText}
          onToggle={(toggled) => onChange(toggleValue(value, toggled))}
          onCreate={onCreate}
        />
      </PickerPopover>
    </div>
  )
}

type TagsProps = Pick<Props, 'label' | 'options' | 'value'> & { onChange?(value: string[]): void }

export function Tags({ label, options, value, onChange }: TagsProps) {
  if (value.length === 0) return null
  const getLabel = (each: string) => options.find((option) => option.value === each)?.label ?? each
  return (
    <TagGroup
      aria-label={label}
      onRemove={onChange && ((keys) => onChange(value.filter((each) => !keys.has(`=${each}`))))}
    >
      <TagList className="tags">
        {value.map((each) => (
          <Tag key={each} id={`=${each}`} className="tag" textValue={getLabel(each)}>
            <span className="clip" dir="auto">
              {getLabel(each)}
            </span>
            {onChange && (
              <AriaButton slot="remove" className="tag-remove">
                <X aria-hidden="true" />
              </AriaButton>
            )}
          </Tag>
        ))}
      </TagList>
    </TagGroup>
  )
}
