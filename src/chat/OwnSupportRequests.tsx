import type { SupportRequest } from '../../modules/support/contract.ts'
import { DisclosureChevron } from '../ui/disclosure-chevron.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'

/** The person's earlier support requests with their answers, newest first. */
export const OwnSupportRequests = ({ requests }: { requests: SupportRequest[] }) => (
  <details className="group text-14">
    <summary className="inline-flex min-h-11 cursor-pointer items-center gap-1 font-medium">
      Your requests ({requests.length})
      <DisclosureChevron />
    </summary>
    <ul className="flex flex-col divide-y divide-line border-t border-line">
      {requests.map(({ id, content, asked, answers }) => (
        <li key={id} className="flex flex-col gap-2 py-3">
          <p className="text-13 text-ink-2">
            <RelativeTime at={asked} />
          </p>
          <p className="wrap-anywhere whitespace-pre-line">{content}</p>
          {answers.map(({ text, at }) => (
            <div key={at} className="border-l-2 border-field pl-3">
              <p className="text-13 font-medium">
                Answered <RelativeTime at={at} />
              </p>
              <p className="wrap-anywhere whitespace-pre-line">{text}</p>
            </div>
          ))}
        </li>
      ))}
    </ul>
  </details>
)
