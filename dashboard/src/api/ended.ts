/** Between an answer 401 and the dialog that asks a person to sign in again. */
let listening: (() => void) | undefined;

export function onEnded(listener: () => void): () => void {
  listening = listener;
  return () => {
    if (listening === listener) listening = undefined;
  };
}

export const sessionHasEnded = (): void => listening?.();
