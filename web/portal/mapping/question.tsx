/** Values with several meanings: the guest says which one is meant. */
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, Check } from 'lucide-react'
import { api, unwrap } from '../../shared/api/client.ts'
import { type I18n, type TextKey, useTranslation } from '../../shared/texts/texts.tsx'
import type { Question, Reading } from './plan.ts'

const QUESTIONS: Record<Question['about'], TextKey> = {
  'day-month-order': 'askDayMonth',
  century: 'askCentury',
  'decimal-mark': 'askDecimalMark',
  unit: 'askUnit',
  'debit-credit': 'askDebitCredit',
  'boolean-letters': 'askBooleanLetters',
  'phone-region': 'askPhoneRegion',
  'url-scheme': 'askUrlScheme',
  'time-of-day': 'askTimeOfDay',
}
const MAX_EXAMPLES = 3

interface Props {
  column: string
  fieldKey: string
  sheetId: string
  question: Question
  chosen: Reading | undefined
  onChoose(reading: Reading): void
}

export function QuestionCard({ column, fieldKey, sheetId, question, chosen, onChoose }: Props) {
  const { t } = useTranslation()
  const examples = question.examples.slice(0, MAX_EXAMPLES)
  const text = t(QUESTIONS[question.about], { column, example: examples[0] ?? '' })
  const meanings = useQuery({
    queryKey: ['meanings', sheetId, fieldKey, examples, question.alternatives],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => Promise.all(question.alternatives.map((reading) => interpret(sheetId, fieldKey, examples, reading))),
  })
  return (
    <fieldset className={`question ${chosen ? 'answered' : ''}`}>
      <legend dir="auto">{text}</legend>
      <div className="question-answers">
        {question.alternatives.map((reading, index) => {
          const isChosen = chosen !== undefined && JSON.stringify(chosen) === JSON.stringify(reading)
          return (
            <button
              key={JSON.stringify(reading)}
              type="button"
              className="question-answer"
              aria-pressed={isChosen}
              onClick={() => onChoose(reading as Reading)}
            >
              {isChosen && <Check aria-hidden="true" />}
              <Meanings examples={examples} values={meanings.data?.[index]} reading={reading as Reading} />
            </button>
          )
        })}
      </div>
    </fieldset>
  )
}

async function interpret(
  sheetId: string,
  fieldKey: string,
  examples: readonly string[],
  reading: object,
): Promise<unknown[]> {
  const { data } = await unwrap(
    api.POST('/api/v1/values/interpret', {
      body: { sheetId, columns: [{ key: fieldKey, values: [...examples], reading: reading as never }] },
    }),
  )
  return (data.columns[0]?.values ?? []).map(({ value }) => value)
}

function Meanings(props: { examples: readonly string[]; values: unknown[] | undefined; reading: Reading }) {
  const i18n = useTranslation()
  return (
    <span className="meanings">
      {props.examples.map((example, index) => (
        <span key={example}>
          <bdi className="mono">{example}</bdi>
          <ArrowRight aria-hidden="true" />
          <bdi>{props.values ? formatMeaning(props.values[index], props.reading, i18n) : '…'}</bdi>
        </span>
      ))}
    </span>
  )
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/

function formatMeaning(value: unknown, reading: Reading, { t, number, language }: I18n): string {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (typeof value === 'number') {
    const unit = 'bareUnit' in reading ? reading.bareUnit : undefined
    return unit === undefined ? number(value) : `${number(value)} (${unit})`
  }
  const text = String(value ?? '—')
  if (reading.type === 'date' && ISO_DATE.test(text))
    return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(text))
  return text
}
