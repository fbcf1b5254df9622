import { FilePathSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny'
import { inside, type Looked } from '../inside.ts'
import { Refusal } from './refusal.ts'

/** A file that cannot be opened or read says nothing of what is in it. */
const ofTheMachine = (error: unknown) => typeof (error as NodeJS.ErrnoException).syscall === 'string'

/**
 * Looks into a container: reads no picture and decodes nothing. The file is a stranger's, and one that lies may keep this busy for ever
 * or fill the memory, so it runs in a process that somebody watches.
 * @throws Refusal, or why the system does not give the file
 */
export async function look(path: string, type: string): Promise<Looked> {
  const input = new Input({ source: new FilePathSource(path), formats: type === 'video/webm' ? [WEBM, MATROSKA] : [MP4, QTFF] })
  try {
    return await inside(input, type)
  } catch (error) {
    throw error instanceof Refusal || ofTheMachine(error) ? error : new Refusal('damaged', error)
  } finally {
    input.dispose()
  }
}
