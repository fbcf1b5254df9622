/** Whether this is a phone in landscape, as defined by `short` in src/ui/tokens.css; src/ui/base.css sets `--is-short` for scripts. */
export const isShortScreen = () => getComputedStyle(document.documentElement).getPropertyValue('--is-short').trim() === '1'
