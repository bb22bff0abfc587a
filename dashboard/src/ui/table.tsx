/**
 * A list of rows that may be thousands: only those on the screen are in the document, pages are read as they come near, and there
 * are no page numbers. It is a table all the same, with its true count of rows. `j` and `k` move, Enter opens. On a phone a row
 * is two lines: each column says which corner is its own, or stays away.
 */
import { Button } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useHere } from '../api/environment.tsx';
import { sentenceOf } from '../api/errors.ts';
import { useDensity } from './density.ts';
import { countOf } from './digits.ts';
import { Go } from './go.tsx';
import { isTyping, usePhone, usePrinting } from './screen.ts';
import classes from './table.module.css';

export interface Column<T> {
  readonly key: string;
  readonly title: string;
  cell(row: T): ReactNode;
  /** Amounts and counts stand at the right edge. */
  readonly align?: 'right';
  /** CSS; the columns without one share what is left. */
  readonly width?: string;
  /** Its corner on a phone. Without one it is left out there. */
  readonly phone?: 'top-left' | 'bottom-left' | 'top-right' | 'bottom-right';
}

interface Props<T> {
  /** What the rows are, for those who hear the page. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  keyOf(row: T): string;
  /** Where a row leads. Its first column is the link. */
  hrefOf?(row: T): string | undefined;
  readonly hasMore?: boolean;
  readonly isLoadingMore?: boolean;
  /** Why the next page did not come: said under the table, with a button. */
  readonly moreError?: unknown;
  more?(): void;
  /** How many are shown is said under the table. */
  readonly counts?: boolean;
}

const ROW = { normal: 44, compact: 36 } as const;
const PHONE_ROW = 64;
/** A list of so many rows is printed whole, of a longer one so many: there is a file. */
const MOST_PRINTED = 500;

export function Table<T>(props: Props<T>) {
  const { label, columns, rows, keyOf, hrefOf, more, counts = true } = props;
  const { hasMore = false, isLoadingMore = false, moreError = null } = props;
  const { mode } = useHere();
  const isPhone = usePhone();
  const [density] = useDensity();
  const [, navigate] = useLocation();
  // By its key: rows that come in above move it down, and Enter opens what was chosen.
  const [chosen, setChosen] = useState<string | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const height = isPhone ? PHONE_ROW : ROW[density];
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: useCallback(() => height, [height]),
    overscan: 12,
    scrollMargin: top,
  });
  const isPrinting = usePrinting();
  const items = isPrinting ? [] : virtual.getVirtualItems();
  const printed = Math.min(rows.length, MOST_PRINTED);
  const shown = isPrinting ? Array.from({ length: printed }, (_, index) => index) : items.map(({ index }) => index);
  const first = items[0];
  const last = items.at(-1);
  const above = first === undefined ? 0 : first.start - virtual.options.scrollMargin;
  const below = last === undefined ? 0 : virtual.getTotalSize() - (last.end - virtual.options.scrollMargin);

  // What stands above the table comes and goes.
  useLayoutEffect(() => {
    if (body.current !== null) setTop(Math.round(body.current.getBoundingClientRect().top + scrollY));
  });
  useEffect(() => virtual.measure(), [height, virtual]);
  useStay(rows, keyOf, height, top);
  // Without items the screen has not been measured yet.
  const isNearEnd = rows.length === 0 || (last !== undefined && last.index > rows.length - 20);
  useEffect(() => {
    if (hasMore && !isLoadingMore && moreError === null && isNearEnd) more?.();
  }, [hasMore, isLoadingMore, moreError, isNearEnd, rows.length, more]);

  const open = (row: T | undefined, event?: MouseEvent) => {
    const to = row === undefined ? undefined : hrefOf?.(row);
    if (to === undefined) return;
    if (event?.ctrlKey === true || event?.metaKey === true)
      window.open(`${import.meta.env.BASE_URL}${mode}${to}`, '_blank', 'noopener');
    else navigate(`/${mode}${to}`);
  };
  const at = chosen === null ? -1 : rows.findIndex((row) => keyOf(row) === chosen);
  const keys = useRef<(event: KeyboardEvent) => void>(undefined);
  keys.current = (event) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && event.target === document.body) return open(rows[at]);
    const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
    const next = Math.min(Math.max(at + step, 0), rows.length - 1);
    const row = rows[next];
    if (step === 0 || row === undefined) return;
    setChosen(keyOf(row));
    virtual.scrollToIndex(next, { align: 'auto' });
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => keys.current?.(event);
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  // The row is chosen for those who hear the page, too.
  useEffect(() => {
    if (chosen !== null) body.current?.querySelector<HTMLElement>('[data-chosen] a')?.focus({ preventScroll: true });
  }, [chosen]);

  return (
    <div ref={body} className={classes['frame']}>
      <table
        role="table"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        className={classes['table']}
      >
        <colgroup>
          {columns.map(({ key, width }) => (
            <col key={key} style={width === undefined ? {} : { width }} />
          ))}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {columns.map(({ key, title, align }) => (
              <th
                key={key}
                role="columnheader"
                scope="col"
                className={align === 'right' ? classes['right'] : undefined}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {above > 0 && <Spacer height={above} columns={columns.length} />}
          {shown.map((index) => {
            const row = rows[index] as T;
            const to = hrefOf?.(row);
            return (
              <tr
                key={keyOf(row)}
                role="row"
                aria-rowindex={index + 2}
                className={`${to === undefined ? '' : classes['opens']} ${index === at ? classes['chosen'] : ''}`}
                data-chosen={index === at || undefined}
                style={{ height }}
                onClick={(event) => {
                  const isOwn = (event.target as HTMLElement).closest('a,button,input') !== null;
                  if (!isOwn && getSelection()?.isCollapsed !== false) open(row, event);
                }}
              >
                {columns.map(({ key, align, cell, phone }, at) => (
                  <td
                    key={key}
                    role="cell"
                    className={align === 'right' ? classes['right'] : undefined}
                    data-phone={phone ?? 'away'}
                  >
                    {at === 0 && to !== undefined ? (
                      <Go to={to} className={classes['link'] ?? ''}>
                        {cell(row)}
                      </Go>
                    ) : (
                      cell(row)
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
          {below > 0 && <Spacer height={below} columns={columns.length} />}
        </tbody>
      </table>
      {counts && moreError === null && (
        <p className={classes['count']} role="status">
          {isPrinting && printed < rows.length && `The first ${countOf(printed)} of `}
          {countOf(rows.length)} shown{hasMore ? (isLoadingMore ? ', reading more …' : ', more below') : ''}
        </p>
      )}
      {moreError !== null && (
        <p className={classes['count']} role="alert">
          {countOf(rows.length)} shown. What follows could not be read: {sentenceOf(moreError)}{' '}
          <Button variant="default" size="compact-sm" loading={isLoadingMore} onClick={more}>
            Try again
          </Button>
        </p>
      )}
    </div>
  );
}

const Spacer = ({ height, columns }: { readonly height: number; readonly columns: number }) => (
  <tr aria-hidden="true" className={classes['spacer']} style={{ height }}>
    <td colSpan={columns} />
  </tr>
);

/** Rows that come in above what is being read do not push it away: the page is scrolled by as much. */
function useStay<T>(rows: readonly T[], keyOf: (row: T) => string, height: number, top: number): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const [old] = before.current;
    before.current = rows;
    if (old === undefined || scrollY <= top) return;
    const key = keyOf(old);
    const added = rows.findIndex((row) => keyOf(row) === key);
    if (added > 0) scrollBy(0, added * height);
  });
}
