import { useQuery } from '@tanstack/react-query'
import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import { useMemo } from 'react'
import { useTranslation } from '../shared/texts/texts.tsx'
import { Empty, QueryView } from '../shared/ui/states.tsx'
import { ActionButtons } from './actions.tsx'
import { documentsQuery, type Space } from './queries.ts'

const escapeHtml = ({ text }: { text: string }) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
const marked = new Marked({
  ...{ gfm: true, async: false, renderer: { html: escapeHtml } },
  walkTokens(token) {
    if (token.type === 'heading') token.depth = Math.min(6, token.depth + 1)
  },
})
/** External images would reveal the reader; forms and styles do not belong in documents. */
const SANITIZE_OPTIONS = {
  FORBID_TAGS: ['style', 'form', 'input', 'button', 'iframe'],
  FORBID_ATTR: ['style', 'class', 'id'],
}

export function toSafeHtml(markdown: string): string {
  const fragment = DOMPurify.sanitize(marked.parse(markdown) as string, {
    ...SANITIZE_OPTIONS,
    RETURN_DOM_FRAGMENT: true,
  })
  for (const link of fragment.querySelectorAll('a[href]')) {
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer')
  }
  const container = document.createElement('div')
  container.append(fragment)
  return container.innerHTML
}

export function DocumentPage({ space, documentId }: { space: Space; documentId: string }) {
  const { t } = useTranslation()
  const documents = useQuery(documentsQuery(space.id))
  return (
    <div className="page">
      <QueryView query={documents}>
        {(all) => {
          const openDocument = all.find(({ id }) => id === documentId)
          if (!openDocument) return <Empty title={t('pageMissing')} />
          return (
            <>
              <header className="page-head">
                <h1 dir="auto">{openDocument.title}</h1>
                <ActionButtons
                  space={space}
                  target={{ kind: 'document', id: openDocument.id, actions: openDocument.actions }}
                />
              </header>
              <Markdown text={openDocument.body} />
            </>
          )
        }}
      </QueryView>
    </div>
  )
}

export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => toSafeHtml(text), [text])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised above
  return <article className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
}
