/**
 * A page that is a list: its filters, its rows, and what stands there instead of rows. All lists of the dashboard are this one.
 *
 *     <ListPage
 *       title="Payouts" words={['payout', 'payouts']} list={list} columns={COLUMNS} hrefOf={payoutHref}
 *       filters={filters} fields={<Choice … />} csv={{ path: '/v1/payouts', query, file: 'payouts.csv' }}
 *       empty={<Empty curl={CURL}>No payout has been made yet. This makes one:</Empty>}
 *     />
 */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDownload } from '../api/download.ts';
import { sentenceOf, troubleOf } from '../api/errors.ts';
import type { Query } from '../api/query.ts';
import type { Rows } from '../api/reads.ts';
import { Failed, Loading, NoHit, Trouble } from './conditions.tsx';
import { Icon } from './icons.tsx';
import { Page } from './page.tsx';
import { Split } from './split.tsx';
import { type Column, Table } from './table.tsx';

interface ListProps<T extends { readonly id: string }> {
  /** One and many, in sentences: `['payout', 'payouts']`. */
  readonly words: readonly [one: string, many: string];
  /** Of `useList`; with other `rows` where the page adds some or leaves some out. */
  readonly list: Rows<T>;
  readonly columns: readonly Column<T>[];
  /** Where a row leads. */
  hrefOf?(row: T): string | undefined;
  /** Without them nothing can be cleared. */
  readonly filters?: { readonly isFiltered: boolean; clear(): void };
  /** What stands there when there is nothing at all: `<Empty>`. */
  readonly empty: ReactNode;
  /** Names the table for those who hear it, where it is not the many of `words`. */
  readonly label?: string;
  /** How many are shown is said under the rows. */
  readonly counts?: boolean;
  /** Grey rows while it is read. */
  readonly lines?: number;
}

const NO_FILTERS = { isFiltered: false, clear: () => undefined };

/** The rows, or what stands there instead of them: it is read, it failed, nothing is like the filters, there is nothing. */
export function List<T extends { readonly id: string }>(props: ListProps<T>) {
  const { words, list, columns, hrefOf, filters = NO_FILTERS, empty, counts = true, lines = 10 } = props;
  const [one, many] = words;
  if (list.error !== null) {
    // A filter that the server does not take is not tried again.
    if (!filters.isFiltered || troubleOf(list.error) !== 'refused')
      return <Failed error={list.error} again={list.again} what={many} />;
    return <NoHit what={one} why={sentenceOf(list.error)} clear={filters.clear} />;
  }
  if (list.isLoading) return <Loading lines={lines} />;
  if (list.rows.length === 0 && !list.hasMore) {
    return filters.isFiltered ? <NoHit what={one} clear={filters.clear} /> : empty;
  }
  return (
    <Table
      label={props.label ?? `${many.slice(0, 1).toUpperCase()}${many.slice(1)}`}
      columns={columns}
      rows={list.rows}
      keyOf={({ id }) => id}
      {...(hrefOf !== undefined && { hrefOf })}
      hasMore={list.hasMore}
      isLoadingMore={list.isLoadingMore}
      moreError={list.moreError}
      more={list.more}
      counts={counts}
    />
  );
}

interface ListPageProps<T extends { readonly id: string }> extends ListProps<T> {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** The controls of the filters. */
  readonly fields?: ReactNode;
  /** All of it as a file, by the same filters. */
  readonly csv?: { readonly path: string; query(): Query; readonly file: string };
  /** What is open beside the list; see `split.tsx`. */
  readonly open?: { readonly label: string; readonly back: string; readonly chosen: ReactNode | null };
  /** Between the filters and the rows, or under them. */
  readonly above?: ReactNode;
  readonly below?: ReactNode;
}

export function ListPage<T extends { readonly id: string }>(props: ListPageProps<T>) {
  const { title, about, actions, fields, csv, open, above, below, ...list } = props;
  const { filters = NO_FILTERS } = list;
  const file = useDownload();
  const save = csv !== undefined && (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      loading={file.isBusy}
      disabled={list.list.rows.length === 0}
      onClick={() => void file.start(csv.path, { ...csv.query(), format: 'csv', bom: true }, csv.file)}
    >
      {filters.isFiltered ? 'These as CSV' : 'All as CSV'}
    </Button>
  );
  const rows = <List {...list} />;
  return (
    <Page
      title={title}
      about={about}
      actions={
        save === false ? (
          actions
        ) : (
          <>
            {save}
            {actions}
          </>
        )
      }
    >
      {fields !== undefined && (
        <div className="filters">
          {fields}
          {filters.isFiltered && (
            <Button variant="subtle" onClick={filters.clear}>
              Clear filters
            </Button>
          )}
        </div>
      )}
      <Trouble error={file.error} />
      {above}
      {open === undefined ? rows : <Split label={open.label} back={open.back} chosen={open.chosen} list={rows} />}
      {below}
    </Page>
  );
}
