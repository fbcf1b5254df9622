import { useState } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { renewing } from '../folders/fresh-urls.ts'
import { createPlayer } from './player.ts'
import { Stage } from './Stage.tsx'

/** A stage for one clip of a folder, with its own player. */
export function ClipStage({ folder, clip }: { folder: string; clip: Video }) {
  const [player] = useState(() => createPlayer(renewing(folder)))
  return <Stage player={player} clip={clip} />
}
