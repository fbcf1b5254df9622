import { BlobSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny'
import { MediaRefusal } from '../../modules/media/preparation-process/media-refusal.ts'
import { readContainer } from '../../modules/media/read-container.ts'

const readFacts = (input: Input, type: string) =>
  readContainer(input, type).then(
    ({ media, table }) => ({ inside: { media, table }, refused: null }),
    error => ({ inside: null, refused: error instanceof MediaRefusal ? error.code : null }),
  )

/** Reads a file's container in a worker, which the page can terminate if a file keeps it busy forever. Its reply: `ContainerReadResult`. */
addEventListener('message', async ({ data: { file, type } }: MessageEvent<{ file: Blob; type: string }>) => {
  const input = new Input({ source: new BlobSource(file), formats: type === 'video/webm' ? [WEBM, MATROSKA] : [MP4, QTFF] })
  postMessage(await readFacts(input, type))
})
