import { useState } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { createUrlRenewer } from '../folders/url-renewer.ts'
import { createPlayer } from './player.ts'
import { Stage } from './Stage.tsx'

/** A stage for one clip of a folder, with its own player. */
export function ClipStage({ folder, clip }: { folder: string; clip: Video }) {
  const [player] = useState(() => createPlayer(createUrlRenewer(folder)))
  return <Stage player={player} clip={clip} />
}
