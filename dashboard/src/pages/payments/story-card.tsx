/** What happened, from the events of the thing, as long as they are kept. */
import type { Event } from '../../../../client/src/generated/types.ts';
import { pageAt } from '../../api/client.ts';
import { useRead } from '../../api/reads.ts';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { Id } from '../../ui/id.tsx';
import { Card } from '../../ui/page.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { Who } from '../../ui/who.tsx';
import { chapterOf } from './story.ts';

export const useEvents = (id: string) =>
  useRead(['events', 'of', id], async (client) => {
    const { data } = await pageAt<Event>(client, '/v1/events', { related_object: id, limit: 100, order: 'asc' });
    // Others name it too: those of a duplicate, of a payout that refunds it.
    return data.filter((event) => (event.data as { readonly object?: { readonly id?: string } }).object?.id === id);
  });

export function Story({ events }: { readonly events: ReturnType<typeof useEvents> }) {
  const entries = (events.data ?? []).flatMap((event) => {
    const chapter = chapterOf(event);
    if (chapter === null) return [];
    const { actor } = event.request;
    const about = (
      <>
        {actor === null ? 'by the service' : <Who actor={actor} />}
        {chapter.about !== undefined && (
          <>
            {' '}
            · <Id id={chapter.about} />
          </>
        )}
      </>
    );
    return [{ key: event.id, at: event.created, mark: chapter.mark ?? 'done', text: chapter.text, about } as const];
  });
  return (
    <Card title="What happened">
      {events.data === undefined && events.error === null && <Loading lines={3} />}
      {events.data === undefined && events.error !== null && (
        <Failed error={events.error} again={() => void events.refetch()} what="events" />
      )}
      {events.data !== undefined && entries.length === 0 && (
        <p className="muted">Its events were deleted for their age.</p>
      )}
      <Timeline entries={entries} />
    </Card>
  );
}
