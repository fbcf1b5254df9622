import { type ChangeEvent, Suspense, useRef, useState } from 'react'
import { callApi } from '../client/api.ts'
import { setUser, type User } from '../client/login-session.ts'
import { refetchQueries } from '../client/query.ts'
import { errorMessage } from '../client/use-command.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { toast } from '../ui/toast.ts'

const CropDialog = lazyWithRetry(() => import('./CropDialog.tsx').then(m => ({ default: m.CropDialog })))

/** The user's photo, with buttons to choose, crop and upload another one, or to remove it. */
export function ProfilePhotoEditor({ user }: { user: User }) {
  const input = useRef<HTMLInputElement>(null)
  const [image, setImage] = useState<ImageBitmap>()
  const name = `${user.firstName} ${user.lastName}`
  const changed = (profilePicture: string | null) => {
    setUser({ ...user, profilePicture })
    refetchQueries('GET /api/profile')
  }
  const showError = (error: unknown) =>
    toast({ title: 'Your photo was not changed', description: errorMessage(error), variant: 'destructive' })

  async function choose(e: ChangeEvent<HTMLInputElement>) {
    const file = e.target.files?.[0]
    e.target.value = ''
    if (!file) return
    try {
      setImage(await createImageBitmap(file))
    } catch {
      showError(new Error('We cannot read this photo. Choose a JPEG, PNG or WEBP file.'))
    }
  }
  async function send(square: Blob) {
    try {
      const { profilePicture } = await callApi('PUT /api/user/picture', { body: square })
      changed(profilePicture)
      setImage(undefined)
      toast({ title: 'Photo changed' })
    } catch (error) {
      showError(error)
    }
  }
  async function remove() {
    try {
      await callApi('DELETE /api/user/picture')
      changed(null)
    } catch (error) {
      showError(error)
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-4">
      <Avatar name={name} picture={user.profilePicture} instructor={user.id} size="xl" />
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" onClick={() => input.current?.click()}>
          {user.profilePicture ? 'Change photo' : 'Add a photo'}
        </Button>
        {user.profilePicture && (
          <Button variant="quiet" onClick={remove}>
            Remove
          </Button>
        )}
        <input ref={input} type="file" accept="image/jpeg,image/png,image/webp" aria-label="Photo" hidden onChange={choose} />
      </div>
      <Suspense fallback={null}>{image && <CropDialog image={image} onDone={send} onClose={() => setImage(undefined)} />}</Suspense>
    </div>
  )
}
