import { site } from '../../site.ts'

/** How to get a copy of the account's data: by hand, as the privacy policy says. */
export const YourData = () => (
  <section aria-labelledby="data">
    <h2 id="data" className="mb-1 text-22">
      Your data
    </h2>
    <p className="max-w-measure text-ink-2">
      To get all of it as one file, write to{' '}
      <a className="link wrap-anywhere" href={`mailto:${site.supportEmail}`}>
        {site.supportEmail}
      </a>
      . How soon, and what stays, is in the{' '}
      <a className="link" href="/privacy-policy">
        Privacy Policy
      </a>
      .
    </p>
  </section>
)
