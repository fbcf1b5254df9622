/**
 * What each screen that comes with what it shows needs first (`src/server/personal-pages.ts`): paths of the API, beside `/api/user`. `{id}` is the last part of the screen's address, whose `?session=`
 * goes along.
 */
export const asks: Readonly<Record<string, readonly string[]>> = {
  '/player/dashboard': ['/api/folders', '/api/billing'],
  '/player/folder': ['/api/folders/{id}'],
  '/instructor/dashboard': ['/api/queue', '/api/profile'],
  '/instructor/folder': ['/api/folders/{id}'],
}
