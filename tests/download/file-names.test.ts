import { expect, test } from 'vitest'
import { safeFileName, videoFileNames } from '../../src/download/file-names.ts'

const [mp4, mov, webm] = ['video/mp4', 'video/quicktime', 'video/webm'] as const
const named = (...clips: [string, 'video/mp4' | 'video/quicktime' | 'video/webm'][]) => [
  ...videoFileNames(clips.map(([name, type], i) => ({ id: String(i), name, type }))).values(),
]

test('a downloaded video keeps its name, with the extension of its video format', () => {
  expect(named(['swing.mp4', mp4], ['IMG_1.MOV', mov], ['tee.webm', webm], ['game.m4v', mp4], ['front', mp4])).toEqual([
    ...['swing.mp4', 'IMG_1.MOV', 'tee.webm', 'game.m4v', 'front.mp4'],
  ])
  expect(named(['swing.exe', mp4], ['bill.html', mov], ['clip.mp4.lnk', webm], ['swing.mov', mp4], ['.mp4', mp4])).toEqual([
    ...['swing.exe.mp4', 'bill.html.mov', 'clip.mp4.lnk.webm', 'swing.mov', 'video.mp4'],
  ])
})

test('a file name is valid on every system and contains no path', () => {
  expect(named(['../../etc/passwd', mp4], ['swing\u202e4pm.exe', mp4], ['aux.mp4', mp4], ['COM1', mp4], [' . ', mp4])).toEqual([
    ...['_.._etc_passwd.mp4', 'swing4pm.exe.mp4', '_aux.mp4', '_COM1.mp4', 'video.mp4'],
  ])
  expect(safeFileName('a/b\\c:\u2066d\u2069')).toBe('a_b_c_d')
})

test('file names differ even without extensions, because subtitle files share them', () => {
  expect(named(['Swing.mp4', mp4], ['swing.mov', mov], ['swing.mp4', mp4], ['swing (2).mp4', mp4])).toEqual([
    ...['Swing.mp4', 'swing (2).mov', 'swing (3).mp4', 'swing (2) (2).mp4'],
  ])
})
