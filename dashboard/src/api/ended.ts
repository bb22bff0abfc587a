/** Between an answer 401 and the dialog that asks a person to sign in again. */
let heard: (() => void) | undefined;

export function onEnded(listener: () => void): () => void {
  heard = listener;
  return () => {
    if (heard === listener) heard = undefined;
  };
}

export const sessionHasEnded = (): void => heard?.();
