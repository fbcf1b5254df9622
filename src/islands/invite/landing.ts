import type { Instructor } from '../../../modules/instructors/contract.ts'
import { request } from '../../client/api.ts'
import type { User } from '../../client/session.ts'
import { defaultPicture, pictureSource } from '../../ui/avatar.ts'

const part = <E extends HTMLElement>(name: string) => document.querySelector<E>(`[data-invite=${name}]`)!
const code = decodeURIComponent(location.pathname.split('/').filter(Boolean).at(-1) ?? '')

async function show() {
  try {
    const { user, profilePicture, id } = (await request('GET', `/api/instructors/by-invite/${encodeURIComponent(code)}`)) as Instructor
    part('name').textContent = `${user.firstName} ${user.lastName}`.trim() || 'Your instructor'
    const image = part<HTMLImageElement>('picture')
    image.onerror = () => {
      image.onerror = null
      image.src = defaultPicture
    }
    image.src = pictureSource(profilePicture, id)
  } catch {
    part('failed').hidden = false
  }
}

// The page itself has kept the code and put it into the link, so that a tap before this script carries it.
const start = part<HTMLAnchorElement>('start')
addEventListener('signed-in', e => {
  if ((e as CustomEvent<User>).detail.role !== 'player') return
  start.href = `/player/connect-instructor?invite=${encodeURIComponent(code)}`
  start.textContent = 'Connect now'
  part('login').hidden = true
})
show()
