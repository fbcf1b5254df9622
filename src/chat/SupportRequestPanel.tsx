import { useStore } from '@nanostores/react'
import { Send, X } from 'lucide-react'
import { type FormEvent, type ReactNode, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { errorMessageSentByServer as serverSaid } from '../client/api.ts'
import { $user } from '../client/login-session.ts'
import { refetchQueries, useQuery } from '../client/query.ts'
import { sendCommand } from '../client/send-command.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { TextArea } from '../ui/field.tsx'
import { toast } from '../ui/toast.ts'
import { chatInputProblem } from './chat-input-problem.ts'
import { OwnSupportRequests } from './OwnSupportRequests.tsx'

const kinds = { feature: 'Request a Feature', issue: 'Report an Issue', question: 'Ask a Question' } as const
type Kind = keyof typeof kinds
/** Delays before the conversation resets: after a request has been sent, and after the panel has been closed. */
const CHAT_RESET_DELAYS_MS = { sent: 5000, closed: 300 }

const SupportMessage = ({ children }: { children: ReactNode }) => (
  <p className="w-fit max-w-[85%] rounded-card rounded-bl-base bg-ink-wash px-3 py-2">{children}</p>
)
const UserMessage = ({ children }: { children: ReactNode }) => (
  <p className="ml-auto w-fit max-w-[85%] rounded-card rounded-br-base bg-field px-3 py-2 wrap-anywhere text-on-fill">{children}</p>
)

interface ChatState {
  kind?: Kind
  content?: string
  sent?: boolean
}

function Conversation({ firstName, said, say }: { firstName: string; said: ChatState; say: (more: ChatState) => void }) {
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<{ text: string }>()
  const { data: mine = [] } = useQuery('GET /api/support/my-requests')
  const waiting = mine.filter(r => r.status === 'open' || r.status === 'in-progress').length
  const end = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new message or error scrolls to the end of the conversation.
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
    end.current?.querySelector<HTMLElement>('textarea')?.focus()
  }, [said, wrong])

  /** Whether an answer has an acceptable length; shows an error if it does not. */
  const hasGoodLength = (answer: string) => {
    const problem = chatInputProblem(answer)
    setWrong(problem)
    if (problem) toast({ title: problem.title, description: problem.text })
    return !problem
  }
  const describe = (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault()
    const content = String(new FormData(e.currentTarget).get('content')).trim()
    if (hasGoodLength(content)) say({ content })
  }
  const suggest = async (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault()
    const suggestedSolution = String(new FormData(e.currentTarget).get('suggestion')).trim() || undefined
    if (suggestedSolution && !hasGoodLength(suggestedSolution)) return
    setBusy(true)
    setWrong(undefined)
    try {
      const body = {
        requestType: said.kind!,
        content: said.content!,
        deviceInfo: navigator.userAgent,
        priority: 'medium' as const,
        suggestedSolution,
      }
      await sendCommand('POST /api/support/request', { body })
      refetchQueries('GET /api/support/my-requests')
      toast({ title: 'Support request submitted', description: "We'll get back to you as soon as possible." })
      say({ sent: true })
    } catch (error) {
      const why = serverSaid(error) || 'Please try again later.'
      setWrong({ text: why })
      toast({ title: 'Failed to submit request', description: why, variant: 'destructive' })
    }
    setBusy(false)
  }

  return (
    <div
      role="log"
      aria-label="Conversation"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
      tabIndex={0}
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto overscroll-contain p-4"
    >
      <SupportMessage>Hi {firstName}! How can we help you today?</SupportMessage>
      {said.kind ? (
        <UserMessage>{kinds[said.kind]}</UserMessage>
      ) : (
        <div className="flex flex-col gap-2">
          {Object.entries(kinds).map(([kind, label]) => (
            <Button key={kind} variant="secondary" wide onClick={() => say({ kind: kind as Kind })}>
              {label}
            </Button>
          ))}
          {waiting > 0 && (
            <p className="text-14 text-ink-2">
              {waiting === 1 ? 'We have your request.' : `We have your ${waiting} requests.`} We will answer by email.
            </p>
          )}
          {mine.length > 0 && <OwnSupportRequests requests={mine} />}
        </div>
      )}
      {said.kind && <SupportMessage>Please describe your request in detail:</SupportMessage>}
      {said.content && (
        <>
          <UserMessage>{said.content}</UserMessage>
          <SupportMessage>Any suggestions on how we might address this?</SupportMessage>
        </>
      )}
      <div ref={end} className="scroll-mb-4">
        {said.kind && !said.content && (
          <form noValidate onSubmit={describe} className="flex flex-col gap-2">
            <TextArea label="Your request" name="content" rows={3} error={wrong?.text} />
            <Button type="submit" icon={<Send aria-hidden="true" size={18} strokeWidth={1.75} />}>
              Next
            </Button>
          </form>
        )}
        {said.content && !said.sent && (
          <form noValidate onSubmit={suggest} className="flex flex-col gap-2">
            <TextArea label="Your suggestion" optional name="suggestion" rows={3} error={wrong?.text} />
            <Button type="submit" busy={busy} icon={<Send aria-hidden="true" size={18} strokeWidth={1.75} />}>
              Submit
            </Button>
          </form>
        )}
        {said.sent && <SupportMessage>Thanks for your feedback! We'll review your request and get back to you soon.</SupportMessage>}
      </div>
    </div>
  )
}

export function SupportRequestPanel({ onClose }: { onClose: () => void }) {
  const user = useStore($user)
  const [said, setSaid] = useState<ChatState>({})
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    panel.current?.focus()
  }, [])
  useLayoutEffect(() => {
    if (!said.sent) return
    // The pressed button disappears and loses the focus, so focus the panel: otherwise Escape would not reach it.
    panel.current?.focus()
    const timer = setTimeout(() => setSaid({}), CHAT_RESET_DELAYS_MS.sent)
    return () => clearTimeout(timer)
  }, [said.sent])
  if (!user) return null
  return (
    <section
      ref={panel}
      role="dialog"
      aria-label="Support Chat"
      tabIndex={-1}
      onKeyDown={e => {
        if (e.key !== 'Escape') return
        onClose()
        // This Escape must not also close what is behind the chat, such as a comparison.
        e.preventDefault()
      }}
      className="fixed right-4 bottom-18 z-40 flex h-[450px] max-h-[calc(100dvh-7rem)] w-[350px] max-w-[calc(100vw-2rem)] animate-rise flex-col overflow-hidden rounded-card border border-line bg-paper shadow-float outline-none sm:right-6 sm:bottom-20 md:bottom-24"
    >
      <div className="flex items-center justify-between border-b border-line py-1 pr-1 pl-4">
        <h2 className="text-16">Support Chat</h2>
        <IconButton label="Close" onClick={onClose}>
          <X aria-hidden="true" size={20} strokeWidth={1.75} />
        </IconButton>
      </div>
      <Conversation
        key={said.kind ? 'on' : 'new'}
        firstName={user.firstName}
        said={said}
        say={more => startTransition(() => setSaid(before => ({ ...before, ...more })))}
      />
    </section>
  )
}

export { CHAT_RESET_DELAYS_MS }
