import type { Session } from '../../modules/folders/contract.ts'

/**
 * Replaces characters that some operating systems forbid in file names, and removes bidirectional control characters, which can disguise a
 * file's extension.
 */
export const safeFileName = (name: string) =>
  name.replace(/[/\\:*?"<>|\p{Cc}]/gu, '_').replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')

/** File extensions of each video type, the usual one first. */
const FILE_EXTENSIONS = { 'video/mp4': ['.mp4', '.m4v'], 'video/quicktime': ['.mov', '.qt'], 'video/webm': ['.webm'] } as const
/** File extension of a voice-over, without the dot, by its media type. */
export const VOICE_FILE_EXTENSIONS = { 'audio/mp4': 'm4a', 'audio/webm': 'webm', 'audio/ogg': 'ogg' } as const
/** Windows reserves these names for devices. */
const WINDOWS_DEVICE_NAME = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * A unique file name for each video, by video id. Names come from uploads, so every file gets a video extension: a download must never open
 * as a program. Names are unique even without their extension, because a subtitle file has the name of its video.
 */
export function videoFileNames(clips: readonly Pick<Session['clips'][number], 'id' | 'name' | 'type'>[]): Map<string, string> {
  const taken = new Set<string>()
  return new Map(
    clips.map(({ id, name, type }) => {
      const clean = safeFileName(name).trim()
      const own = Object.values(FILE_EXTENSIONS)
        .flat()
        .find(ending => clean.toLowerCase().endsWith(ending))
      const end = own ? clean.slice(-own.length) : FILE_EXTENSIONS[type][0]
      const plain = (own ? clean.slice(0, -own.length) : clean).replace(/^\.+|[. ]+$/g, '').trim() || 'video'
      const stem = WINDOWS_DEVICE_NAME.test(plain.split('.')[0]!) ? `_${plain}` : plain
      let unique = stem
      for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${stem} (${n})`
      taken.add(unique.toLowerCase())
      return [id, unique + end]
    }),
  )
}
