/**
 * Some banks repeat the balances of the whole statement on each of its pages. Such pages of one file become one statement: the entries of
 * all stand behind the first heading, and the proof is over all of them. Pages with balances of their own stay as they are. Pure.
 */
import type { BalanceItem, DocumentItem, Item, StatementItem } from '../../iso20022/read/items.ts';

interface PageOf {
  readonly document: DocumentItem | null;
  readonly statement: StatementItem;
  readonly balances: BalanceItem[];
}

/** The items of a file, in their order. */
export async function* joinedPages(items: AsyncIterable<Item>): AsyncGenerator<Item, void, undefined> {
  let document: DocumentItem | null = null;
  let page: PageOf | null = null;
  /** The page behind it, of which only heading and balances were read. */
  let next: PageOf | null = null;
  /** From the end of `page` on, while it is not known whether `next` is a part of its statement. */
  let held: Item[] = [];
  /** Whether pages before `page` are a part of its statement. */
  let isJoined = false;
  for await (const item of items) {
    if (item.type === 'document') document = item;
    if (held.length > 0) {
      if (next !== null && item.type === 'balance') next.balances.push(item);
      else if (next === null && item.type === 'statement') next = { document, statement: item, balances: [] };
      else if (next !== null || !isOfDocument(item)) {
        const isSame = page !== null && next !== null && isNext(page, next) && balancesOf(page) === balancesOf(next);
        yield* isSame ? held.filter(isOfDocument) : held;
        isJoined = isSame;
        [page, next, held] = [next, null, []];
      }
      if (held.length > 0) {
        held.push(item);
        continue;
      }
    }
    if (item.type === 'statement') page = { document, statement: item, balances: [] };
    if (item.type === 'balance') page?.balances.push(item);
    if (item.type === 'statement_end' && page !== null && isWhole(page))
      held = [isJoined ? { ...item, isJoined } : item];
    else yield item;
  }
  yield* held;
}

/** Says what was tolerated in it, whatever becomes of its statements. */
const isOfDocument = ({ type }: Item): boolean => type === 'document' || type === 'document_end';

const isWhole = ({ balances }: PageOf): boolean =>
  balances.some(({ code }) => code === 'OPBD' || code === 'PRCD') && balances.some(({ code }) => code === 'CLBD');

/** The page of the message counts where the statement counts none of its own. */
const numberOf = ({ statement, document }: PageOf): bigint | null => (statement.page ?? document?.page)?.number ?? null;

function isNext(page: PageOf, next: PageOf): boolean {
  const [number, following] = [numberOf(page), numberOf(next)];
  return number !== null && number + 1n === following && nameOf(page) === nameOf(next);
}

const textOf = (parts: readonly unknown[]): string =>
  JSON.stringify(parts, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));

function nameOf({ document, statement }: PageOf): string {
  const { id, electronicSequence, legalSequence, account } = statement;
  return textOf([
    document?.message,
    id,
    electronicSequence,
    legalSequence,
    account.iban,
    account.other,
    account.currency,
  ]);
}

const balancesOf = ({ balances }: PageOf): string =>
  textOf(
    balances.map(({ code, proprietary, subtype, amount, currency, day }) => [
      code,
      proprietary,
      subtype,
      amount,
      currency,
      day,
    ]),
  );
