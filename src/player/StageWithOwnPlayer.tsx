import { useRef, useState } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { createUrlRenewer } from '../folders/video-url-renewer.ts'
import { Stage } from './Stage.tsx'
import { useStageKeys } from './stage-keys.ts'
import { createVideoPlayer } from './video-player.ts'

/** A stage for one clip of a folder; it creates its own player. */
export function StageWithOwnPlayer({ folder, clip }: { folder: string; clip: Video }) {
  const [player] = useState(() => createVideoPlayer(createUrlRenewer(folder)))
  const element = useRef<HTMLDivElement>(null)
  useStageKeys(element, player)
  return (
    <div ref={element}>
      <Stage player={player} clip={clip} />
    </div>
  )
}
