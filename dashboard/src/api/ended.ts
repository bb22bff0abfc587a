/** Between an answer 401 and whoever asks the door whether the session is over, and the person to sign in again. */
let listening: (() => void) | undefined;

export function onEnded(listener: () => void): () => void {
  listening = listener;
  return () => {
    if (listening === listener) listening = undefined;
  };
}

export const sessionHasEnded = (): void => listening?.();
