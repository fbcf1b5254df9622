import type { ReactNode } from 'react'
import type { SearchResults } from '../../modules/admin-search/contract.ts'
import { MAX_SEARCH_MATCHES_PER_KIND } from '../../modules/admin-search/policy.ts'
import { formatCents } from '../../modules/format-cents-and-counts.ts'
import { callApi } from '../client/api.ts'
import { useQuery } from '../client/query.ts'
import { errorMessage } from '../client/use-command.ts'
import { useMorePages } from '../client/use-more-pages.ts'
import { FolderStatusBadge } from '../folders/folder-status.tsx'
import { PackageBadge, PaymentBadge } from '../payments/status-badges.tsx'
import { Badge } from '../ui/badge.tsx'
import { capitalize } from '../ui/capitalize.ts'
import { CardError } from '../ui/empty-and-error-states.tsx'
import { LoadMoreFooter } from '../ui/load-more-footer.tsx'
import { LoadingRegion, Skeleton } from '../ui/skeleton.tsx'
import { personPagePath, supportRequestPagePath } from './admin-urls.ts'
import { supportRequestStatusBadges } from './support-request-status-badges.ts'

const Match = ({ href, title, about, badge }: { href: string; title: string; about: string; badge: ReactNode }) => (
  <li>
    <a href={href} className="flex min-h-11 items-center gap-3 rounded-field px-2 py-1.5 hover:bg-ink-wash focus-visible:bg-ink-wash">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{title}</span>
        <span className="block truncate text-13 text-ink-2">{about}</span>
      </span>
      {badge}
    </a>
  </li>
)

/** A group of matches. `more`: a button that loads further matches; without it, a full list says that it shows only the first matches. */
function MatchGroup({ title, children, more }: { title: string; children: ReactNode[]; more?: ReactNode }) {
  if (!children.length) return null
  return (
    <section aria-label={title}>
      <h2 className="px-2 pt-2 pb-1 text-13 font-medium text-ink-2">
        {title}
        {!more && children.length === MAX_SEARCH_MATCHES_PER_KIND && (
          <span className="font-normal"> · the first {MAX_SEARCH_MATCHES_PER_KIND}</span>
        )}
      </h2>
      <ul>{children}</ul>
      {more && <div className="py-2">{more}</div>}
    </section>
  )
}

const MORE_PEOPLE = 'GET /api/admin/search/people'

/** The people whom a search finds, page by page. */
function FoundPeople({ text, first }: { text: string; first: Pick<SearchResults, 'people' | 'next'> }) {
  const pageOf = ({ people, next }: typeof first) => ({ rows: people, next })
  const { rows = [], ...paging } = useMorePages({
    first: pageOf(first),
    load: async after => pageOf(await callApi(MORE_PEOPLE, { query: { text, after } })),
    keyOf: person => person.id,
    list: text,
  })
  return (
    <MatchGroup title="People" more={<LoadMoreFooter shown={rows.length} total={null} {...paging} label="Show more people" />}>
      {rows.map(({ id, name, email, kind }) => (
        <Match key={id} href={personPagePath(id)} title={name} about={email} badge={<Badge>{capitalize(kind)}</Badge>} />
      ))}
    </MatchGroup>
  )
}

function RequestBadge({ status }: { status: SearchResults['requests'][number]['status'] }) {
  const [label, tone] = supportRequestStatusBadges[status]
  return (
    <Badge dot tone={tone}>
      {label}
    </Badge>
  )
}

/** Search matches grouped by kind, each with a link to its page. */
export function SearchResultGroups({ text }: { text: string }) {
  const { data, error, retry } = useQuery('GET /api/admin/search', { query: { text } })
  if (!data && error) return <CardError className="p-2" error={errorMessage(error)} retry={retry} />
  if (!data) {
    return (
      <LoadingRegion label="Searching" className="flex flex-col gap-2 p-2">
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
      </LoadingRegion>
    )
  }
  const { people, folders, payments, packages, requests } = data
  const count = people.length + folders.length + payments.length + packages.length + requests.length
  return (
    <>
      <p role="status" className={count ? 'sr-only' : 'p-2 text-ink-2'}>
        {count
          ? `${count} found`
          : 'Nothing matches. Try part of a name or email, a receipt number, or the first eight characters of an ID.'}
      </p>
      <FoundPeople key={text} text={text} first={data} />
      <MatchGroup title="Folders">
        {folders.map(({ id, name, player, status }) => (
          <Match
            key={id}
            href={`/admin/folder/${id}`}
            title={name}
            about={player}
            badge={<FolderStatusBadge status={status} viewer="admin" />}
          />
        ))}
      </MatchGroup>
      <MatchGroup title="Payments">
        {payments.map(payment => (
          <Match
            key={payment.id}
            href={`/admin/dashboard?payment=${payment.id}`}
            title={`${formatCents(payment.total)} · ${payment.folderName}`}
            about={payment.playerName}
            badge={<PaymentBadge payment={payment} />}
          />
        ))}
      </MatchGroup>
      <MatchGroup title="Packages">
        {packages.map(purchase => (
          <Match
            key={purchase.id}
            href={`/admin/dashboard?purchase=${purchase.id}`}
            title={`${formatCents(purchase.cents)} · ${purchase.label}`}
            about={purchase.playerName}
            badge={<PackageBadge purchase={purchase} />}
          />
        ))}
      </MatchGroup>
      <MatchGroup title="Support requests">
        {requests.map(({ id, content, by, status }) => (
          <Match
            key={id}
            href={supportRequestPagePath(id)}
            title={content}
            about={by ?? 'Someone who left'}
            badge={<RequestBadge status={status} />}
          />
        ))}
      </MatchGroup>
    </>
  )
}
