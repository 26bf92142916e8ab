/** A document of a space: Markdown, made safe before it is shown. */
import { useQuery } from '@tanstack/react-query'
import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import { useMemo } from 'react'
import { useTexts } from '../shared/texts/texts.tsx'
import { Empty, Shown } from '../shared/ui/states.tsx'
import { ActionButtons } from './actions.tsx'
import { documentsQuery, type Space } from './data.ts'

/** Documents are Markdown: HTML within them is text like any other. */
const asText = ({ text }: { text: string }) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const marked = new Marked({
  ...{ gfm: true, async: false, renderer: { html: asText } },
  walkTokens(token) {
    // Below the page's own.
    if (token.type === 'heading') token.depth = Math.min(6, token.depth + 1)
  },
})
/** Pictures of other places would tell them who reads; forms and styles have no place in a document. */
const ALLOWED = { FORBID_TAGS: ['style', 'form', 'input', 'button', 'iframe'], FORBID_ATTR: ['style', 'class', 'id'] }

/** HTML without anything that runs; links open apart and tell nothing of where they were. */
export function safeHtml(markdown: string): string {
  const fragment = DOMPurify.sanitize(marked.parse(markdown) as string, { ...ALLOWED, RETURN_DOM_FRAGMENT: true })
  for (const link of fragment.querySelectorAll('a[href]')) {
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer')
  }
  const holder = document.createElement('div')
  holder.append(fragment)
  return holder.innerHTML
}

export function DocumentPage({ space, documentId }: { space: Space; documentId: string }) {
  const { t } = useTexts()
  const documents = useQuery(documentsQuery(space.id))
  return (
    <div className="page">
      <Shown of={documents}>
        {(all) => {
          const found = all.find(({ id }) => id === documentId)
          if (!found) return <Empty title={t('pageMissing')} />
          return (
            <>
              <header className="page-head">
                <h1 dir="auto">{found.title}</h1>
                <ActionButtons space={space} place={{ kind: 'document', id: found.id, actions: found.actions }} />
              </header>
              <Markdown text={found.body} />
            </>
          )
        }}
      </Shown>
    </div>
  )
}

export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => safeHtml(text), [text])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised above
  return <article className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
}
