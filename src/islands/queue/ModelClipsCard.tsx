import { ButtonLink } from '../../ui/button.tsx'

/** A card with a link to the instructor's library of model clips. */
export const ModelClipsCard = () => (
  <section aria-labelledby="model-clips" className="rounded-card border border-line bg-paper p-4 sm:p-6">
    <h2 id="model-clips" className="text-18">
      Model clips
    </h2>
    <p className="mt-2 text-14 text-ink-2">Good swings and deliveries that you set beside those of your players.</p>
    <ButtonLink variant="secondary" wide href="/instructor/model-clips" className="mt-4">
      Open your library
    </ButtonLink>
  </section>
)
