/** What a list with filters shows instead of its rows when it could not be read: a filter that the server does not take can be cleared. */
import { Button } from '@mantine/core';
import { sentenceOf, troubleOf } from '../api/errors.ts';
import { Failed } from './conditions.tsx';

interface Props {
  readonly error: unknown;
  again(): void;
  /** `requests`: for the sentence of a page that the role may not see. */
  readonly what: string;
  readonly filters: { readonly isFiltered: boolean; clear(): void };
}

export function ListTrouble({ error, again, what, filters }: Props) {
  if (!filters.isFiltered || troubleOf(error) !== 'refused') return <Failed error={error} again={again} what={what} />;
  return (
    <div className="condition" role="alert">
      <p>{sentenceOf(error)}</p>
      <Button variant="default" onClick={filters.clear}>
        Clear filters
      </Button>
    </div>
  );
}
