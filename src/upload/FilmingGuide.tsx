const FILMING_TIPS = ['From the side', 'At belt height', 'Whole body in view', '120 or 240 frames per second']

/** How to film a swing so that an instructor can review it: a sketch of the framing, and the key points in words. */
export const FilmingGuide = () => (
  <div className="flex items-center gap-4 px-4 pb-4 text-14 text-ink-2 sm:justify-center">
    <svg
      viewBox="0 0 72 128"
      role="img"
      aria-label="A batter in an upright picture, from head to foot, seen from the side"
      className="h-24 shrink-0 sm:h-28"
    >
      <rect x="1" y="1" width="70" height="126" rx="7" className="fill-chalk stroke-edge" strokeWidth="2" />
      {/* The dashed line marks belt height, where the camera should be. */}
      <path d="M6 68h60" className="stroke-line" strokeWidth="2" strokeDasharray="4 4" />
      <g className="stroke-field" fill="none" strokeWidth="5" strokeLinecap="round" strokeLinejoin="round">
        <circle cx="33" cy="24" r="7" className="fill-field" stroke="none" />
        <path d="M34 37l-3 30M31 67l-9 24-4 24M31 67l12 22 2 26M34 41l12 8 4-9M33 43l10 9 7-12" />
        <path d="M50 40L61 14" strokeWidth="4" className="stroke-clay" />
      </g>
      <path d="M10 118h52" className="stroke-edge" strokeWidth="2" />
    </svg>
    <ul className="list-disc pl-4">
      {FILMING_TIPS.map(wish => (
        <li key={wish}>{wish}</li>
      ))}
    </ul>
  </div>
)
