import { BlobSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny'
import { readContainer } from '../../modules/media/read-container.ts'

/** Looks into a file apart from the page, which can end this where a file keeps it busy for ever. Answers with null where it is damaged. */
addEventListener('message', async ({ data: { file, type } }: MessageEvent<{ file: Blob; type: string }>) => {
  const input = new Input({ source: new BlobSource(file), formats: type === 'video/webm' ? [WEBM, MATROSKA] : [MP4, QTFF] })
  const looked = await readContainer(input, type).catch(() => null)
  postMessage(looked && { media: looked.media, table: looked.table })
})
