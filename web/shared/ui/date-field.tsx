/** A date as an ISO text, typed or chosen in a calendar. */
import { type CalendarDate, parseDate } from '@internationalized/date'
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import {
  Button as AriaButton,
  Calendar as AriaCalendar,
  CalendarCell,
  CalendarGrid,
  Heading,
  Popover,
} from 'react-aria-components'
import { useTranslation } from '../texts/texts.tsx'
import { Button, Field } from './controls.tsx'
import './dialog.css'
import './pickers.css'

interface Props {
  label: string
  hint?: ReactNode
  value: string
  onChange(value: string): void
  isRequired?: boolean
  isDisabled?: boolean
}

export function parseIsoDate(text: string): CalendarDate | null {
  try {
    return parseDate(text.trim().slice(0, 10))
  } catch {
    return null
  }
}

export function DateField({ label, hint, value, onChange, isRequired, isDisabled }: Props) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const group = useRef<HTMLDivElement>(null)
  return (
    <Field label={label} hint={hint}>
      {(id, hintId) => (
        <div ref={group} className="date-field">
          <input
            id={id}
            aria-describedby={hintId}
            aria-invalid={(value !== '' && parseIsoDate(value) === null) || undefined}
            placeholder={t('datePattern')}
            dir="ltr"
            value={value}
            required={isRequired}
            disabled={isDisabled}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown') return
              event.preventDefault()
              setIsOpen(true)
            }}
          />
          <Button
            kind="ghost"
            className="icon"
            aria-label={`${t('openCalendar')}: ${label}`}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            disabled={isDisabled}
            onClick={() => setIsOpen(true)}
          >
            <CalendarDays aria-hidden="true" />
          </Button>
          <Popover
            triggerRef={group}
            isOpen={isOpen}
            onOpenChange={setIsOpen}
            placement="bottom start"
            aria-label={label}
            className="popover"
          >
            <Calendar
              label={label}
              value={value}
              onChange={(date) => {
                setIsOpen(false)
                onChange(date)
              }}
            />
          </Popover>
        </div>
      )}
    </Field>
  )
}

export function Calendar(props: { label: string; value: string; autoFocus?: boolean; onChange(date: string): void }) {
  const { label, value, autoFocus = true, onChange } = props
  return (
    <AriaCalendar
      aria-label={label}
      className="calendar"
      autoFocus={autoFocus}
      value={parseIsoDate(value)}
      onChange={(date) => onChange(date.toString())}
    >
      <div className="calendar-head">
        <AriaButton slot="previous" className="button ghost icon">
          <ChevronLeft aria-hidden="true" className="flips" />
        </AriaButton>
        <Heading />
        <AriaButton slot="next" className="button ghost icon">
          <ChevronRight aria-hidden="true" className="flips" />
        </AriaButton>
      </div>
      <CalendarGrid>{(date) => <CalendarCell date={date} className="day" />}</CalendarGrid>
    </AriaCalendar>
  )
}
