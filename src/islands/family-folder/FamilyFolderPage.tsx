import type { Folder } from '../../../modules/folders/contract.ts'
import { RequireGuardianLogin } from '../../family/RequireGuardianLogin.tsx'
import { ReadOnlyFolderPage } from '../../feedback/ReadOnlyFolderPage.tsx'
import { TakeBackSession } from './TakeBackSession.tsx'

const childOf = ({ player }: Folder) => player.name.split(' ')[0]!

/** A child's folder in the guardian's read-only view: everything that the child and the instructors see. */
export default function FamilyFolderPage() {
  return (
    <RequireGuardianLogin>
      {(_, unmatchedLetterNotice) => (
        <ReadOnlyFolderPage
          viewer="family"
          people={folder => `${childOf(folder)}${folder.session ? ` with ${folder.session.instructor.name}` : ''}`}
          related={({ session }) =>
            session?.status === 'feedback-given'
              ? { href: `/family/money/${session.id}`, label: 'Pay the bill' }
              : { href: '/family/money', label: 'Bills and receipts' }
          }
          action={folder => folder.status === 'assigned' && <TakeBackSession folder={folder} child={childOf(folder)} />}
          back={folder => ({ href: `/family/children/${folder.player.id}`, label: childOf(folder) })}
          missing="The link may be incomplete, or the account now belongs to the player."
          home={{ href: '/family', label: 'Your family' }}
          missingNotice={unmatchedLetterNotice}
        />
      )}
    </RequireGuardianLogin>
  )
}
