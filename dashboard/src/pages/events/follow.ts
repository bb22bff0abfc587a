/** New events as they are committed, by the stream of the API: at most 500 of them, the newest first. A stream that breaks is opened again. */
import { useEffect, useState } from 'react';
import type { Event } from '../../../../client/src/bursar.ts';
import { useHere } from '../../api/environment.tsx';

const MOST = 500;

interface Wanted {
  readonly type: string;
  readonly object: string;
}

export function useFollowed(isOn: boolean, { type, object }: Wanted): readonly Event[] {
  const { client } = useHere();
  const [events, setEvents] = useState<readonly Event[]>([]);
  useEffect(() => {
    setEvents([]);
    if (!isOn) return;
    const end = new AbortController();
    const query = { ...(type !== '' && { types: [type] }), ...(object !== '' && { related_object: object }) };
    const follow = async () => {
      for await (const event of client.events.stream(query, { signal: end.signal })) {
        setEvents((before) => [event, ...before].slice(0, MOST));
      }
    };
    follow().catch(() => undefined); // refused: the list itself says why
    return () => end.abort();
  }, [client, isOn, type, object]);
  return events;
}
