import sharp from 'sharp'

export interface PortraitStyle {
  skin: string
  hair: string
  cap: string
  jersey: string
  /** Hair that reaches below the shoulders. */
  long?: true
  beard?: true
}

/** Draws a portrait of a made-up person, as a PNG of 512 × 512 pixels. */
export const drawPortrait = ({ skin, hair, cap, jersey, long, beard }: PortraitStyle): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256" width="512" height="512">
      <defs><linearGradient id="dusk" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="#1d3a2c"/><stop offset=".62" stop-color="#b4491f"/><stop offset=".63" stop-color="#14532d"/>
      </linearGradient></defs>
      <rect width="256" height="256" fill="url(#dusk)"/>
      ${long ? `<path d="M76 108c-8 40-10 78-4 110h112c6-32 4-70-4-110z" fill="${hair}"/>` : ''}
      <path d="M28 256c4-44 32-62 68-68h64c36 6 64 24 68 68z" fill="${jersey}"/>
      <path d="M104 160h48v34c-8 14-40 14-48 0z" fill="${skin}"/><path d="M104 168c14 12 34 12 48 0v10c-14 12-34 12-48 0z" fill="#000" opacity=".14"/>
      <path d="M128 202v54" stroke="#faf8f3" stroke-width="3" opacity=".65"/>
      <ellipse cx="128" cy="126" rx="45" ry="54" fill="${skin}"/>
      <path d="M82 118c-4 18 2 30 6 34l2-36zM174 118c4 18-2 30-6 34l-2-36z" fill="${hair}"/>
      ${beard ? `<path d="M84 132c2 38 20 52 44 52s42-14 44-52c-6 18-14 24-24 22-12-4-28-4-40 0-10 2-18-4-24-22z" fill="${hair}"/>` : ''}
      <circle cx="111" cy="124" r="4.5" fill="#14201a"/><circle cx="145" cy="124" r="4.5" fill="#14201a"/>
      <path d="M113 152c9 8 21 8 30 0" fill="none" stroke="#14201a" stroke-width="4" stroke-linecap="round" opacity=".75"/>
      <path d="M80 104c0-38 20-58 48-58s48 20 48 58z" fill="${cap}"/>
      <path d="M78 104c28-14 76-14 104 2 14 2 22 8 24 14-40-14-92-16-128-6z" fill="${cap}"/>
      <path d="M78 108c36-12 90-10 128 12" fill="none" stroke="#000" stroke-width="3" opacity=".2"/>
      <path d="M128 66l10 10-10 10-10-10z" fill="#faf8f3"/>
    </svg>`),
  )
    .png()
    .toBuffer()
