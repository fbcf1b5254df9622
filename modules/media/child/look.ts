import { FilePathSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny'
import { inside, type Looked } from '../inside.ts'
import { Refusal } from './refusal.ts'

/**
 * Looks into a container: reads no picture and decodes nothing. The file is a stranger's, and one that lies may keep this busy for ever
 * or fill the memory, so it runs in a process that somebody watches.
 * @throws Refusal
 */
export async function look(path: string, type: string): Promise<Looked> {
  const input = new Input({ source: new FilePathSource(path), formats: type === 'video/webm' ? [WEBM, MATROSKA] : [MP4, QTFF] })
  try {
    return await inside(input, type)
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('damaged')
  } finally {
    input.dispose()
  }
}
