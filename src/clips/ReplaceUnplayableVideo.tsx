import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { refetchQueries } from '../client/query.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast.ts'
import { ACCEPTED_FILES } from '../upload/check-file-size-and-type.ts'
import { UploadList } from '../upload/UploadList.tsx'
import { createUploadQueue } from '../upload/upload-queue.ts'

/**
 * Replaces an unplayable video with another one, even while the folder is with its instructor. `isSelected`: the video is on the stage;
 * otherwise only the uploads are shown, because they continue while the player looks at another video.
 */
export function ReplaceUnplayableVideo({ folder, clip, isSelected }: { folder: string; clip: Video; isSelected: boolean }) {
  const [uploads] = useState(() =>
    createUploadQueue(
      folder,
      () => {
        refetchQueries('GET /api/folders/{folder}')
        toast({ title: 'Video replaced', description: `The new video replaced ${clip.name}.` })
      },
      clip.id,
    ),
  )
  const items = useStore(uploads.$items)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    uploads.load().catch(() => {
      // The page works without the list of unfinished uploads: files can be chosen, and each begins a new upload.
    })
  }, [uploads])
  const pick = () => input.current?.click()
  const canChoose = !items.some(i => i.state !== 'refused')
  return (
    <div>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED_FILES}
        hidden
        aria-label={`Choose a video to replace ${clip.name}`}
        onChange={e => {
          const [file] = e.currentTarget.files ?? []
          if (file) uploads.add([file], 0)
          e.currentTarget.value = ''
        }}
      />
      {canChoose && isSelected && (
        <Button variant="secondary" onClick={pick} className="mx-4 mb-4">
          Replace this video
        </Button>
      )}
      <UploadList uploads={uploads} items={items} onChoose={pick} className="border-t border-line" />
    </div>
  )
}
