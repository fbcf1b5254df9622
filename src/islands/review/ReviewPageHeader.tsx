import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Folder } from '../../../modules/folders/contract.ts'
import { describePlayer } from '../../accounts/player-traits.ts'
import { StudioSupportChatButton } from '../../chat/StudioSupportChatButton.tsx'

/**
 * The height of the stage if the other parts of the review are below it: about half of the screen, so that they scroll under the stage. On
 * a short screen, the stage fills the screen below this header.
 */
export const STACKED_STAGE_HEIGHT_CLASSES = 'max-lg:h-[55dvh] max-lg:short:h-[calc(100dvh-3.0625rem)]'

/**
 * The header of an instructor's folder: link to the queue, folder name, player, support, the queue's `progress`, and actions as `children`.
 */
export const ReviewPageHeader = ({ folder, progress, children }: { folder?: Folder; progress?: string; children?: ReactNode }) => (
  <header className="flex min-h-14 flex-wrap items-center gap-x-3 border-b border-line bg-chalk py-1.5 pr-3 pl-1 max-sm:gap-x-1 short:min-h-12 short:py-0.5">
    <a
      href="/instructor/dashboard"
      aria-label="Back to your queue"
      title="Back to your queue"
      className="grid size-11 shrink-0 place-items-center rounded-field hover:bg-ink-wash"
    >
      <ArrowLeft aria-hidden="true" size={20} strokeWidth={1.75} />
    </a>
    <h1 className="min-w-0 flex-1 text-16 max-sm:leading-tight">
      {/* On a phone the name and the buttons do not fit on one line, so the name may take two lines. */}
      <span className="line-clamp-2 wrap-anywhere sm:line-clamp-1">{folder?.name ?? 'Review'}</span>
      <span className="block truncate text-13 font-normal max-sm:mt-0.5 text-ink-2 [font-stretch:100%]">
        {[folder?.player.name, folder?.session?.player && describePlayer(folder.session.player), progress].filter(Boolean).join(' · ')}
      </span>
    </h1>
    <StudioSupportChatButton />
    {children}
  </header>
)
