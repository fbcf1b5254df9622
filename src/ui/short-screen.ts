/** Whether this is a phone in landscape: `short` in src/ui/tokens.css, which defines it for styles and scripts. */
export const isShortScreen = () => getComputedStyle(document.documentElement).getPropertyValue('--is-short').trim() === '1'
