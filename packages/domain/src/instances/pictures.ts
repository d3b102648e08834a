/** The pictures of a provider's brand. */
export const PICTURES = ['logo', 'favicon', 'background', 'loginBackground'] as const
export type Picture = (typeof PICTURES)[number]

/** As it comes; a photograph is written smaller. */
export const LARGEST_PICTURE_BYTES = 5 * 1024 * 1024
