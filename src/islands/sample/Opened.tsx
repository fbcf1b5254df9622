import { BeforeAfter } from '../../comparison/BeforeAfter.tsx'
import { Read } from '../../feedback/Read.tsx'
import { Watch } from '../../feedback/Watch.tsx'
import { folder, sample } from './session.ts'

/** The sample, played by what players use. */
export const Opened = () => (
  <div className="flex flex-col gap-4 sm:gap-6">
    <div>
      <Watch folder={null} session={sample} />
      <BeforeAfter folder={folder} session={sample} />
    </div>
    <Read session={sample} />
  </div>
)
