import { ArrowLeft, ArrowRight } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { callApi } from '../../client/api.ts'
import { navigateAndWaitForReturn } from '../../client/navigate-and-wait-for-return.ts'
import { useSignalHydration } from '../../page-load/signal-hydration.ts'
import { afterNextPaint } from '../../ui/after-next-paint.ts'
import { Button } from '../../ui/button.tsx'
import { controlClasses, Field } from '../../ui/field.tsx'
import { preloadToaster, toast } from '../../ui/toast.ts'
import { dismissToast } from '../../ui/toast-store.ts'
import { emailProblem } from './email-problem.ts'
import { visitorMetadataForLead } from './visitor-metadata-for-lead.ts'

const authPath = (role: string, email: string) => `/auth?role=${role}${email && `&email=${encodeURIComponent(email)}`}`

/** Tries to save the email as a lead. Returns false only if the email belongs to an account; the visitor is then sent to the login page. */
async function saveLeadOrRedirectToLogin(email: string): Promise<boolean> {
  let known: boolean
  try {
    known = (await callApi('GET /api/check-email', { query: { email } })).exists
  } catch {
    return true
  }
  if (known) {
    const shown = toast({
      title: 'Account Found',
      description: 'We see you already have an account associated with this email address. Log in now!',
      variant: 'destructive',
      onward: true,
    })
    // The toast's code loads before the redirect, because the browser starts no new scripts on a page that it is leaving.
    await preloadToaster()
    await afterNextPaint()
    await navigateAndWaitForReturn(`/auth?redirect=login&email=${encodeURIComponent(email)}`)
    dismissToast(shown)
    return false
  }
  try {
    await callApi('POST /api/landing-page/leads', { body: { email, not_for_humans: '', metadata: visitorMetadataForLead('landing-page') } })
  } catch (error) {
    console.error('The address was not saved:', error)
  }
  return true
}

/** The sign-up form on the landing page: first an email, then a role. Before hydration it works as a plain HTML form. */
export default function LandingSignUpForm() {
  const [step, setStep] = useState<'email' | 'role'>('email')
  const [email, setEmail] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const hasMoved = useRef(false)
  const root = useSignalHydration<HTMLDivElement>()

  useEffect(() => {
    const back = () => {
      hasMoved.current = true
      setStep('email')
    }
    addEventListener('email-step', back)
    return () => removeEventListener('email-step', back)
  }, [])
  useEffect(() => {
    if (!hasMoved.current) return
    if (step === 'role') heading.current?.focus()
    else field.current?.focus()
  }, [step])

  async function submit(e: FormEvent<HTMLFormElement>) {
    e.preventDefault()
    const form = new FormData(e.currentTarget)
    const address = String(form.get('email')).trim()
    await afterNextPaint()
    hasMoved.current = true
    setEmail(address)
    // Only bots fill in the hidden field. They see the next step, but nothing is saved.
    if (form.get('not_for_humans')) return setStep('role')
    const problem = emailProblem(address)
    setError(problem)
    if (problem) return field.current?.focus()
    setBusy(true)
    const saved = await saveLeadOrRedirectToLogin(address)
    setBusy(false)
    if (saved) setStep('role')
  }

  return (
    <div ref={root} className="min-h-44 sm:min-h-36">
      {step === 'email' ? (
        <form action="/api/landing-page/start" method="post" noValidate onSubmit={submit}>
          <Field label="Your email" error={error} id="start-email">
            {wiring => (
              <div className="contents sm:flex sm:gap-2">
                <input
                  ref={field}
                  {...wiring}
                  name="email"
                  type="email"
                  inputMode="email"
                  autoComplete="email"
                  autoCapitalize="none"
                  defaultValue={email}
                  className={`${controlClasses} h-13 sm:flex-1`}
                />
                <Button type="submit" size="lg" busy={busy} className="max-sm:order-last max-sm:mt-0.5">
                  Start now
                </Button>
              </div>
            )}
          </Field>
          <div className="sr-only" aria-hidden="true">
            <label>
              Leave this empty
              <input type="text" name="not_for_humans" tabIndex={-1} autoComplete="off" />
            </label>
          </div>
          <p className="mt-1 flex items-center gap-1 text-14 text-ink-2">
            Have an account?
            <a href="/auth" className="link inline-flex min-h-11 items-center px-1">
              Log in
            </a>
          </p>
        </form>
      ) : (
        <div>
          {/* "Get Started" links to this id, which is on the email field or, in this step, on the heading that replaces the field. */}
          <h2 ref={heading} id="start-email" tabIndex={-1} className="mb-3 text-22 outline-none">
            Tell us who you are
          </h2>
          <div className="grid gap-2 sm:grid-cols-2">
            <Button size="lg" onClick={() => location.assign(authPath('player', email))}>
              I'm a Player
              <ArrowRight aria-hidden="true" size={20} strokeWidth={1.75} />
            </Button>
            <Button size="lg" variant="secondary" onClick={() => location.assign(authPath('instructor', email))}>
              I'm an Instructor
              <ArrowRight aria-hidden="true" size={20} strokeWidth={1.75} />
            </Button>
          </div>
          <Button
            variant="quiet"
            className="mt-2 -ml-4"
            icon={<ArrowLeft aria-hidden="true" size={18} strokeWidth={1.75} />}
            onClick={() => {
              hasMoved.current = true
              setStep('email')
            }}
          >
            Back to email
          </Button>
        </div>
      )}
    </div>
  )
}
