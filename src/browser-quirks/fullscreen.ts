/** Shows the stage in full screen, or ends that; iPhones have full screen for a <video> alone (`webkitEnterFullscreen`). */
export function toggleFullscreen(stage: HTMLElement | null, video: HTMLVideoElement | null) {
  if (document.fullscreenElement) document.exitFullscreen()
  else if (stage?.requestFullscreen) stage.requestFullscreen()
  else (video as unknown as { webkitEnterFullscreen?: () => void })?.webkitEnterFullscreen?.()
}
