import type { OnionSkin } from '../../../../modules/reviews/contract.ts'
import { DEFAULT_ONION_SKIN, ONION_SKIN_DISTANCES } from '../../../comparison/onion-skin-layers.ts'

/** Options of an onion skin besides its opacity: the tint, and the frames before and after the current one. */
export function OnionSkinTintAndFrameOptions({
  skin = DEFAULT_ONION_SKIN,
  onChange,
}: {
  skin?: OnionSkin | undefined
  onChange: (skin: OnionSkin) => void
}) {
  const { tinted, around, ...plain } = skin
  const option = (label: string, isOn: boolean, toggle: () => OnionSkin) => (
    <label className="flex min-h-11 w-fit items-center gap-2 text-14">
      <input type="checkbox" className="size-5 accent-field" checked={isOn} onChange={() => onChange(toggle())} />
      {label}
    </label>
  )
  return (
    <div className="flex flex-wrap gap-x-6">
      {option('Tint the clip on top', !!tinted, () => ({ ...plain, ...(around && { around }), ...(!tinted && { tinted: true }) }))}
      {option('Show two frames before and after', !!around?.length, () => ({
        ...plain,
        ...(tinted && { tinted }),
        ...(!around?.length && { around: [...ONION_SKIN_DISTANCES] }),
      }))}
    </div>
  )
}
