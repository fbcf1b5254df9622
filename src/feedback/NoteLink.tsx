import { ExternalLink } from 'lucide-react'

/** An address as one reads it: without what every address has, and not longer than a line. */
const spoken = (link: string) => {
  const [, rest = ''] = /^https:\/\/(?:www\.)?(.*?)\/?$/.exec(link) ?? []
  return rest.length > 40 ? `${rest.slice(0, 39)}…` : rest
}

/** Where an instructor sends a player to see more: somebody else's site, in a tab of its own that knows nothing of this one. */
export const NoteLink = ({ link }: { link: string }) =>
  link.startsWith('https://') && (
    <a
      href={link}
      target="_blank"
      rel="noopener noreferrer"
      className="link inline-flex min-h-11 max-w-full items-center gap-1.5 wrap-anywhere"
    >
      <ExternalLink aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />
      {spoken(link)}
      <span className="sr-only">, opens in a new tab</span>
    </a>
  )
