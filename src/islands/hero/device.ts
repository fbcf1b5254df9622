/** Whether this is a mobile device: by its name, or narrower than 768 px. */
export const isMobile = () => /iPhone|iPad|iPod|Android/i.test(navigator.userAgent) || innerWidth < 768
