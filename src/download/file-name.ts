import type { Session } from '../../modules/folders/contract.ts'

/** A name without the signs that some system does not write in one, and without those that turn the order of letters round. */
export const fileName = (name: string) => name.replace(/[/\\:*?"<>|\p{Cc}]/gu, '_').replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')

/** What each type of video is called, the usual first. Players look inside, whichever of these it is. */
const ENDINGS = { 'video/mp4': ['.mp4', '.m4v'], 'video/quicktime': ['.mov', '.qt'], 'video/webm': ['.webm'] } as const
/** Names that Windows keeps for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * The name of each video's file. It came with the upload, so it ends as videos do: no one is sent what opens as anything else. Two that
 * are the same but for that are told apart: subtitles lie beside a video under its name.
 */
export function videoNames(clips: readonly Pick<Session['clips'][number], 'id' | 'name' | 'type'>[]): Map<string, string> {
  const taken = new Set<string>()
  return new Map(
    clips.map(({ id, name, type }) => {
      const clean = fileName(name).trim()
      const own = Object.values(ENDINGS)
        .flat()
        .find(ending => clean.toLowerCase().endsWith(ending))
      const end = own ? clean.slice(-own.length) : ENDINGS[type][0]
      const plain = (own ? clean.slice(0, -own.length) : clean).replace(/^\.+|[. ]+$/g, '').trim() || 'video'
      const stem = DEVICE.test(plain.split('.')[0]!) ? `_${plain}` : plain
      let unique = stem
      for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${stem} (${n})`
      taken.add(unique.toLowerCase())
      return [id, unique + end]
    }),
  )
}
