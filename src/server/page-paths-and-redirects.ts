/** Pages that serve many paths: `/player/folder/{id}` is one static page whose script reads the id from the URL. */
const pagesWithId = new Set([
  '/player/folder',
  '/player/select-instructor',
  '/player/video-test',
  '/instructor/folder',
  '/admin/folder',
  '/admin/people',
  '/video-format-test',
  '/invite',
  '/guardian',
  '/shared',
  '/family/money',
  '/family/children',
  '/family/folder',
])

const redirects = new Map([
  ['/player/select-instructor', '/player/connect-instructor'],
  ['/player/folder', '/player/dashboard'],
  ['/instructor/folder', '/instructor/dashboard'],
  ['/admin/folder', '/admin/dashboard'],
  ['/admin/people', '/admin/dashboard'],
  ['/family/children', '/family'],
  ['/family/folder', '/family'],
])

/** The path to redirect to, or undefined. @param known whether a page exists at exactly that path */
export function redirectFor(path: string, known: (path: string) => boolean): string | undefined {
  const to = redirects.get(path)
  if (to) return to
  if (known(path)) return undefined
  // Each page has one path, without a trailing slash or a file name.
  const plain = path.replace(/(?:\/index\.html|\.html|\/)$/, '') || '/'
  if (plain !== path && known(plain)) return plain
  const bare = path.replace(/\/$/, '')
  const profile = /^\/instructor\/(?:profile\/)?([a-z0-9-]{1,80})$/i.exec(bare)
  if (profile) return `/i/${profile[1]}`
  // Paths with an id or a slug lose a trailing slash, too.
  return bare !== path && (findPageForPathWithId(bare) || profileSlugIn(bare)) ? bare : undefined
}

/** The path of the page that serves `/player/folder/{id}` for every id: `/player/folder`; undefined for a path without an id. */
export function findPageForPathWithId(path: string): string | undefined {
  const cut = path.lastIndexOf('/')
  const parent = path.slice(0, cut)
  return cut > 0 && cut < path.length - 1 && pagesWithId.has(parent) ? parent : undefined
}

/** The slug in the path of a profile; undefined for any other path. */
export const profileSlugIn = (path: string): string | undefined => /^\/i\/([^/]{1,80})$/.exec(path)?.[1]
