import { Search, X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../texts/texts.tsx'
import './controls.css'

const SEARCH_DEBOUNCE_MS = 300

interface Props {
  label: string
  value: string
  /** Called when typing pauses. */
  onChange(value: string): void
  placeholder?: string
  input?: RefObject<HTMLInputElement | null>
}

export function SearchField({ label, value, onChange, placeholder = label, input: givenInput }: Props) {
  const { t } = useTranslation()
  const [text, setText] = useState(value)
  const ownInput = useRef<HTMLInputElement>(null)
  const input = givenInput ?? ownInput
  const latestOnChange = useRef(onChange)
  latestOnChange.current = onChange
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => latestOnChange.current(text), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <div className="search-field">
      <Search aria-hidden="true" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && onChange(text)}
      />
      {text !== '' && (
        <button
          type="button"
          aria-label={t('clearSearch')}
          onClick={() => {
            setText('')
            onChange('')
            input.current?.focus()
          }}
        >
          <X aria-hidden="true" />
        </button>
      )}
    </div>
  )
}
