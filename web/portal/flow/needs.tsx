/** The sheets of a space with their fields, and templates to fill in. */
import { Asterisk, Download } from 'lucide-react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { useErrorToast } from '../../shared/ui/errors.ts'
import { Menu } from '../../shared/ui/menu.tsx'
import type { Sheet, SheetField } from '../queries.ts'
import { describeField, isRequired, nameOfField } from './field-words.ts'
import { saveTemplate } from './template.ts'

export function Needs({ sheets }: { sheets: readonly Sheet[] }) {
  const { t } = useTranslation()
  return (
    <section>
      <h2>{t('whatWeNeed')}</h2>
      <div className="needs">
        {sheets.map((sheet) => (
          <SheetNeeds key={sheet.id} sheet={sheet} sheets={sheets} />
        ))}
      </div>
    </section>
  )
}

function SheetNeeds({ sheet, sheets }: { sheet: Sheet; sheets: readonly Sheet[] }) {
  const { t } = useTranslation()
  const showError = useErrorToast()
  const fields = sheet.config.fields.filter(({ readonly }) => !readonly)
  const required = fields.filter(isRequired)
  const optional = fields.filter((field) => !isRequired(field))
  const download = (format: 'csv' | 'xlsx') => void saveTemplate(sheet, format).catch(showError)
  return (
    <article className="card" aria-label={sheet.name}>
      <header className="card-head">
        <h3 dir="auto">{sheet.name}</h3>
        <Menu
          label={t('templateFor', { sheet: sheet.name })}
          entries={(['xlsx', 'csv'] as const).map((format) => ({
            id: format,
            label: t('templateAs', { format: format.toUpperCase() }),
            run: () => download(format),
          }))}
        >
          <Download aria-hidden="true" /> {t('template')}
        </Menu>
      </header>
      {required.length > 0 && <FieldList fields={required} sheets={sheets} required />}
      {optional.length > 0 && (
        <details open={required.length === 0}>
          <summary>{t('optionalFields', { count: optional.length })}</summary>
          <FieldList fields={optional} sheets={sheets} />
        </details>
      )}
    </article>
  )
}

function FieldList(props: { fields: readonly SheetField[]; sheets: readonly Sheet[]; required?: boolean }) {
  const i18n = useTranslation()
  return (
    <ul className="need-fields">
      {props.fields.map((field) => (
        <li key={field.key}>
          <span>
            <strong dir="auto">{nameOfField(field)}</strong>
            {props.required && (
              <>
                <Asterisk aria-hidden="true" />
                <span className="visually-hidden">{i18n.t('required')}</span>
              </>
            )}
          </span>
          <span className="hint" dir="auto">
            {field.description || describeField(field, props.sheets, i18n)}
          </span>
        </li>
      ))}
    </ul>
  )
}
