import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { refresh } from '../client/query.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast.ts'
import { KINDS } from '../upload/check.ts'
import { UploadList } from '../upload/UploadList.tsx'
import { uploadsOf } from '../upload/uploads.ts'

/** Puts another video in the place of one that nobody can see: also while the folder is with its instructor. */
export function Replace({ folder, clip }: { folder: string; clip: Video }) {
  const [uploads] = useState(() =>
    uploadsOf(
      folder,
      () => {
        refresh('GET /api/folders/{folder}')
        toast({ title: 'Video replaced', description: `It has taken the place of ${clip.name}.` })
      },
      clip.id,
    ),
  )
  const items = useStore(uploads.$items)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    uploads.load().catch(() => {
      // Choosing the file again finds its upload, too.
    })
  }, [uploads])
  const pick = () => input.current?.click()
  const choosing = !items.some(i => i.state !== 'refused')
  return (
    <div>
      <input
        ref={input}
        type="file"
        accept={KINDS}
        hidden
        aria-label={`Choose a video in place of ${clip.name}`}
        onChange={e => {
          const [file] = e.currentTarget.files ?? []
          if (file) uploads.add([file], 0)
          e.currentTarget.value = ''
        }}
      />
      {choosing && (
        <Button variant="secondary" onClick={pick} className="mx-4 mb-4">
          Put another video in its place
        </Button>
      )}
      <UploadList uploads={uploads} items={items} onChoose={pick} className="border-t border-line" />
    </div>
  )
}
