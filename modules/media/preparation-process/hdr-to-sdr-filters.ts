/** How the values of a picture represent light, as code points of ITU-T H.273, which containers, bitstreams and FFmpeg share. */
export interface PictureColors {
  primaries: number
  transfer: number
  matrix: number
}

const UNSPECIFIED = 2
const BT709 = 1
const BT2020_PRIMARIES = 9
const BT2020_NON_CONSTANT = 9
const PQ = 16
const HLG = 18

/** Luminance of a diffuse white surface in HDR, and of the brightest highlight that phones record, in cd/m² (BT.2408, table 1; BT.2100). */
const REFERENCE_WHITE_NITS = 203
const PEAK_LUMINANCE_NITS = 1000
/**
 * Below this share of the reference white, tone mapping is linear; brighter light is compressed. Skin, grass and gray are below it, white
 * and highlights above.
 */
const KNEE_SHARE_OF_WHITE = 0.75

const isHdr = ({ transfer }: PictureColors) => transfer === PQ || transfer === HLG

/**
 * FFmpeg filters that convert wide-gamut and HDR frames for a standard screen (BT.709); none for standard frames. The reference white of
 * HDR becomes the screen's white, and light below the knee is mapped linearly, as in BT.2408. How much a highlight above the knee is
 * compressed depends on the brightest of its three color components, so that no hue changes.
 * @param isWide whether the container declares a wide color gamut or HDR
 */
export function sdrColorFilters(colors: PictureColors, isWide: boolean): string[] {
  if (!isWide && !isHdr(colors)) return []
  const known = (code: number, otherwise: number) => (code === UNSPECIFIED ? otherwise : code)
  const primaries = known(colors.primaries, BT2020_PRIMARIES)
  const matrix = known(colors.matrix, BT2020_NON_CONSTANT)
  const transfer = known(colors.transfer, BT709)
  return [
    // The decoder does not pass on colors that only the container declares.
    `setparams=color_primaries=${primaries}:color_trc=${transfer}:colorspace=${matrix}`,
    // Without exact computation, HLG's system gamma is applied to each component separately, which makes skin redder.
    `zscale=transfer=linear:npl=${REFERENCE_WHITE_NITS}:agamma=0`,
    'format=gbrpf32le',
    'zscale=primaries=bt709',
    ...(isHdr(colors)
      ? [`tonemap=tonemap=mobius:param=${KNEE_SHARE_OF_WHITE}:peak=${PEAK_LUMINANCE_NITS / REFERENCE_WHITE_NITS}:desat=0`]
      : []),
    'zscale=transfer=bt709:matrix=bt709:range=tv',
  ]
}
