import { Download } from 'lucide-react'
import type { Folder, Video } from '../../../modules/folders/contract.ts'
import { callApi } from '../../client/api.ts'
import { errorMessage } from '../../client/use-command.ts'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { formatBytes } from '../../ui/format-duration-and-size.ts'
import { toast } from '../../ui/toast.ts'

/** Download links for the files that the player uploaded. */
export function OriginalVideoDownloads({ folder }: { folder: Folder }) {
  const { id, session } = folder
  const clips = [...(session?.clips ?? []), ...folder.clips.filter(c => !session?.clips.some(of => of.id === c.id))]
  if (!clips.length) return null

  async function download({ id: video }: Video) {
    try {
      const { url } = await callApi('GET /api/folders/{folder}/videos/{video}/original', { params: { folder: id, video } })
      // The file comes with `Content-Disposition: attachment`, so the browser downloads it and stays on this page.
      location.assign(url)
    } catch (error) {
      toast({ title: 'The download did not start', description: errorMessage(error) })
    }
  }
  return (
    <Card>
      <h2 className="text-18">{clips.length === 1 ? 'Original video' : 'Original videos'}</h2>
      <ul className="mt-1">
        {clips.map(clip => (
          <li key={clip.id} className="flex items-center justify-between gap-3">
            <span className="min-w-0">
              <span className="block truncate">{clip.name}</span>
              <span className="block text-13 text-ink-2">{formatBytes(clip.bytes)}</span>
            </span>
            <IconButton label={`Download ${clip.name}`} onClick={() => download(clip)}>
              <Download aria-hidden="true" size={20} strokeWidth={1.75} />
            </IconButton>
          </li>
        ))}
      </ul>
    </Card>
  )
}
