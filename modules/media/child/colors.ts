/** How the numbers of a picture mean light, in the code points of ITU-T H.273 that containers, bitstreams and FFmpeg share. */
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

/** Light of a diffuse white surface in HDR, and of the brightest highlight that phones record, cd/m² (BT.2408, table 1; BT.2100). */
const REFERENCE_WHITE = 203
const PEAK = 1000
/** Share of the reference white up to which light keeps its proportions: skin, grass and grey lie below it, white and highlights above. */
const KNEE = 0.75

const isHdr = ({ transfer }: PictureColors) => transfer === PQ || transfer === HLG

/**
 * FFmpeg filters that show a picture with wide colors on an ordinary screen (BT.709); none where it is an ordinary one. The reference white of HDR
 * becomes that of the screen and everything below the knee stays in proportion, as BT.2408 maps ordinary pictures into HDR; the highlights above
 * share the little that is left, by the brightest of the three colors so that none changes its hue.
 * @param isWide whether the container calls the colors wide
 */
export function sdrColorFilters(colors: PictureColors, isWide: boolean): string[] {
  if (!isWide && !isHdr(colors)) return []
  const known = (code: number, otherwise: number) => (code === UNSPECIFIED ? otherwise : code)
  const primaries = known(colors.primaries, BT2020_PRIMARIES)
  const matrix = known(colors.matrix, BT2020_NON_CONSTANT)
  const transfer = known(colors.transfer, BT709)
  return [
    // A decoder forgets what only the container said of the colors.
    `setparams=color_primaries=${primaries}:color_trc=${transfer}:colorspace=${matrix}`,
    // Exactly: approximated, HLG's system gamma is applied to each color by itself, and skin becomes redder.
    `zscale=transfer=linear:npl=${REFERENCE_WHITE}:agamma=0`,
    'format=gbrpf32le',
    'zscale=primaries=bt709',
    ...(isHdr(colors) ? [`tonemap=tonemap=mobius:param=${KNEE}:peak=${PEAK / REFERENCE_WHITE}:desat=0`] : []),
    'zscale=transfer=bt709:matrix=bt709:range=tv',
  ]
}
