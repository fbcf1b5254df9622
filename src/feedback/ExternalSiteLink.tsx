import { ExternalLink } from 'lucide-react'

/** A URL without `https://www.` and the trailing slash, at most 40 characters. */
const shortAddress = (link: string) => {
  const [, rest = ''] = /^https:\/\/(?:www\.)?(.*?)\/?$/.exec(link) ?? []
  return rest.length > 40 ? `${rest.slice(0, 39)}…` : rest
}

/** A link to another site, from a note or a phrase. It opens in a tab that cannot access this page (`noopener`). */
export const ExternalSiteLink = ({ link }: { link: string }) =>
  link.startsWith('https://') && (
    <a
      href={link}
      target="_blank"
      rel="noopener noreferrer"
      className="link inline-flex min-h-11 max-w-full items-center gap-1.5 wrap-anywhere"
    >
      <ExternalLink aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />
      {shortAddress(link)}
      <span className="sr-only">, opens in a new tab</span>
    </a>
  )
