/** Ctrl K: one box for ids, names, amounts and requests. Arrows choose, Enter opens, Escape closes. */
import { Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { post } from '../api/client.ts';
import { useHere } from '../api/environment.tsx';
import { useRead } from '../api/reads.ts';
import type { Hit, SearchResult } from '../api/shapes.ts';
import { sentenceOf } from '../api/errors.ts';
import { hrefOf } from '../links.ts';
import { shortId } from '../ui/id.tsx';
import { Money } from '../ui/money.tsx';
import { stateOf } from '../ui/payout-words.ts';
import { State } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';
import classes from './search.module.css';

const WAIT_MS = 180;
const KINDS: Readonly<Record<string, string>> = {
  request_log: 'Request',
  webhook_endpoint: 'Endpoint',
  payout_batch: 'Batch',
  audit_entry: 'Audit log',
};

/** `payout_batch` → `Batch`, `payout` → `Payout`. */
const kindOf = (object: string): string => {
  const plain = object.replaceAll('_', ' ');
  return KINDS[object] ?? `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}`;
};

export function Search({ close }: { close(): void }) {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [asked] = useDebouncedValue(text.trim(), WAIT_MS);
  const result = useRead(['search', asked], (client) => post<SearchResult>(client, '/v1/search', { q: asked }), {
    isOff: asked === '',
    keeps: true,
  });
  const isOld = text.trim() !== asked || result.isFetching;
  const hits =
    asked === '' || text.trim() === '' ? [] : (result.data?.data ?? []).filter((hit) => targetOf(hit) !== null);
  // Enter before the answer is there means the first one of the answer, and never one of the answer before.
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => setAt(0), [asked]);

  const open = (hit: Hit | undefined) => {
    const to = hit === undefined ? undefined : targetOf(hit);
    if (to === null || to === undefined) return;
    close();
    navigate(`/${mode}${to}`);
  };
  const [first] = hits;
  useEffect(() => {
    if (!isWaiting || isOld) return;
    setWaiting(false);
    open(first);
  }, [isWaiting, isOld, first]);
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((before) => Math.min(Math.max(before + step, 0), Math.max(hits.length - 1, 0)));
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      if (isOld) setWaiting(text.trim() !== '');
      else open(hits[at]);
    }
  };
  return (
    <Modal.Root opened onClose={close} size={640} padding={0} classNames={{ content: classes['box'] ?? '' }}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <TextInput
          data-autofocus
          autoFocus // at once: the dialog would wait, and the first letter would be lost
          variant="unstyled"
          classNames={{ input: classes['input'] ?? '' }}
          role="combobox"
          aria-label="Search: id, name, amount, request"
          aria-expanded={hits.length > 0}
          aria-controls="search-hits"
          aria-activedescendant={hits.length > 0 ? `search-hit-${at}` : undefined}
          placeholder="Id, name, amount, request"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setWaiting(false);
          }}
          onKeyDown={onKey}
          autoComplete="off"
          spellCheck={false}
        />
        <ul
          id="search-hits"
          role="listbox"
          aria-label="What was found"
          className={classes['hits']}
          hidden={hits.length === 0}
        >
          {hits.map((hit, index) => (
            <li
              key={`${hit.object} ${hit.id}`}
              id={`search-hit-${index}`}
              role="option"
              aria-selected={index === at}
              onMouseMove={() => setAt(index)}
              onClick={() => open(hit)}
            >
              <Line hit={hit} />
            </li>
          ))}
        </ul>
        <div className={classes['foot']} role="status">
          {text.trim() === '' ? (
            'Part of an id, a name, 250.00, an IBAN, your own id, or a request.'
          ) : result.error !== null ? (
            sentenceOf(result.error)
          ) : hits.length > 0 ? (
            <Scope result={result.data} count={hits.length} />
          ) : isOld ? (
            'Looking …'
          ) : (
            <>
              Nothing is like that. <Scope result={result.data} count={0} />
            </>
          )}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Where a hit leads: its own page, or the list that shows it. */
function targetOf({ id, object }: Hit): string | null {
  if (object === 'payout_batch') return `/payouts?batch=${id}`;
  return hrefOf(id) ?? null;
}

function Line({ hit }: { readonly hit: Hit }) {
  const { object, id, title, subtitle, amount_minor: minor, currency, status } = hit;
  return (
    <>
      <span className={classes['title']}>
        <bdi>{title}</bdi>
        {minor !== null && currency !== null && <Money minor={minor} currency={currency} />}
      </span>
      <span className={classes['about']}>
        {kindOf(object)}
        {status !== null && <State {...stateOf(status)} />}
        {subtitle !== null && subtitle !== '' && <bdi>{subtitle}</bdi>}
        <span className="mono">{shortId(id)}</span>
      </span>
    </>
  );
}

/** What was found, and how far back it was looked, where that is not everything. */
function Scope({ result, count }: { readonly result: SearchResult | undefined; readonly count: number }) {
  const found = count === 0 ? '' : `${count} found.`;
  if (result === undefined || result.complete) return found;
  return (
    <>
      {found}{' '}
      {result.searched_until === null ? (
        'There may be more.'
      ) : (
        <>
          Looked back until <Time at={result.searched_until} />.
        </>
      )}
    </>
  );
}
