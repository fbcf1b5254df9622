import { BlobSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny'
import { readContainer } from '../../modules/media/read-container.ts'

/** Reads a file's container in a worker, which the page can terminate if a file keeps it busy forever. Replies null for a damaged file. */
addEventListener('message', async ({ data: { file, type } }: MessageEvent<{ file: Blob; type: string }>) => {
  const input = new Input({ source: new BlobSource(file), formats: type === 'video/webm' ? [WEBM, MATROSKA] : [MP4, QTFF] })
  const facts = await readContainer(input, type).catch(() => null)
  postMessage(facts && { media: facts.media, table: facts.table })
})
