/** A file of the API. A plain link cannot say which environment it means, so the file is read first and handed over then. */
import { useState } from 'react';
import { type Query, queryOf } from './client.ts';
import { sessionHasEnded } from './ended.ts';
import { useHere } from './environment.tsx';
import { troubleOf } from './errors.ts';

export interface Download {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** `name`: where the server names none. */
  start(path: string, query: Query, name: string): Promise<void>;
}

export function useDownload(): Download {
  const { client } = useHere();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const start = async (path: string, query: Query, name: string) => {
    setBusy(true);
    setError(null);
    try {
      const response = await client.request('GET', `${path}${queryOf(query)}`);
      hand(await response.blob(), nameIn(response.headers.get('Content-Disposition')) ?? name);
    } catch (fault) {
      if (troubleOf(fault) === 'ended') sessionHasEnded();
      else setError(fault);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, start };
}

const nameIn = (header: string | null): string | undefined => /filename="([^"]+)"/.exec(header ?? '')?.[1];

function hand(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
