/** A secret as people type it. Pure. */

/** Groups of four. */
export const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
