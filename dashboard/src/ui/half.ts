/** In place of the value of a field for a day or an instant: something is typed, and it is none yet. Nothing is sent while it is so. */
export const HALF = 'half';
