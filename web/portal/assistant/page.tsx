/** The conversation with the assistant about a space. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useTranslation } from '../../shared/texts/texts.tsx'
import { Button, TextArea } from '../../shared/ui/controls.tsx'
import { Empty, ErrorNotice, QueryView } from '../../shared/ui/states.tsx'
import type { Space } from '../queries.ts'
import { ask, conversationQuery, createThread, type Message, type Thread, threadQuery } from './data.ts'
import { ProposalCard } from './proposal.tsx'
import './assistant.css'

/** Live events announce the end of a reply. */
const POLL_MS = 5000
const MAX_QUESTION_LENGTH = 4000

export default function AssistantPage({ space }: { space: Space }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const thread = useQuery({
    ...threadQuery(space.id),
    refetchInterval: ({ state }) => (state.data?.status === 'active' ? POLL_MS : false),
  })
  const restart = useMutation({
    mutationFn: () => createThread(space.id),
    onSuccess: (created) => client.setQueryData(threadQuery(space.id).queryKey, created),
  })
  return (
    <div className="page assistant">
      <header className="page-head">
        <h1>{t('assistant')}</h1>
        {thread.data && (
          <Button kind="ghost" busy={restart.isPending} onClick={() => restart.mutate()}>
            {t('newConversation')}
          </Button>
        )}
      </header>
      <p className="hint">{t('assistantHint')}</p>
      {restart.error && <ErrorNotice error={restart.error} />}
      <QueryView query={thread}>
        {(newest) => (
          <>
            {newest ? <Conversation key={newest.id} thread={newest} /> : <Invitation />}
            <Question space={space} thread={newest} />
          </>
        )}
      </QueryView>
    </div>
  )
}

function Invitation() {
  const { t } = useTranslation()
  return (
    <Empty title={t('assistantEmpty')}>
      <p className="hint">{t('assistantExamples')}</p>
    </Empty>
  )
}

function Conversation({ thread: { id, status } }: { thread: Thread }) {
  const { t } = useTranslation()
  const conversation = useQuery({
    ...conversationQuery(id),
    refetchInterval: status === 'active' ? POLL_MS : false,
  })
  return (
    <QueryView query={conversation}>
      {({ messages, proposals }) => (
        <>
          {messages.length === 0 && <Invitation />}
          <ol className="conversation" aria-live="polite">
            {messages.map((message) => (
              <li key={message.id} className={message.role}>
                <p dir="auto">{readText(message)}</p>
                {proposals
                  .filter(({ messageId }) => messageId === message.id)
                  .map((proposal) => (
                    <ProposalCard key={proposal.id} proposal={proposal} />
                  ))}
              </li>
            ))}
            {status === 'active' && (
              <li className="assistant">
                <p>
                  <span className="spinner small" /> {t('assistantThinking')}
                </p>
              </li>
            )}
          </ol>
        </>
      )}
    </QueryView>
  )
}

const readText = ({ content }: Message): string => String(content.text ?? '')

function Question({ space, thread }: { space: Space; thread: Thread | null }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [text, setText] = useState('')
  const asking = useMutation({
    async mutationFn(question: string) {
      const { id } = thread ?? (await createThread(space.id))
      await ask(id, question)
    },
    async onSuccess() {
      setText('')
      await client.invalidateQueries({ queryKey: ['threads', space.id] })
      await client.invalidateQueries({ queryKey: ['conversation'] })
    },
  })
  const isBusy = asking.isPending || thread?.status === 'active'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy && text.trim()) asking.mutate(text.trim())
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event)
  }
  return (
    <form className="question" onSubmit={submit}>
      {asking.error && <ErrorNotice error={asking.error} />}
      <TextArea
        label={t('assistantQuestion')}
        rows={2}
        required
        maxLength={MAX_QUESTION_LENGTH}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="actions">
        <Button type="submit" kind="primary" busy={isBusy}>
          {t('askAssistant')}
        </Button>
      </div>
    </form>
  )
}
