/** The decision that changes what an environment says of its exchanges: base currency, limit, markups. It leaves an entry in the audit log. Pure. */
import { currencyOf } from '../../core/values/currencies.ts';
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { refusal } from '../../core/values/errors.ts';
import { type Fx, MAX_FX_MARKUPS } from '../../core/fx.ts';
import { formatMoney, parseAmount } from '../../core/values/money.ts';
import { rebased, type Valuation } from './exposure.ts';

export interface UpdateExchangeSettings {
  readonly type: 'update_exchange_settings';
  /** What is left out stays. */
  readonly base: string | undefined;
  /** Major-unit text of the base currency; `null` removes it. */
  readonly positionLimit: string | null | undefined;
  /** By pair; `null` removes one. */
  /** By pair; `null` removes one, or all. */
  readonly markups: Readonly<Record<string, number | null>> | null | undefined;
  readonly rates: Valuation;
}

declare module '../../core/decision.ts' {
  interface Replies {
    readonly exchange_settings: { readonly object: 'exchange_settings'; readonly id: string; readonly fx: Fx };
  }
}

/**
 * Refuses `parameter_missing` where a limit would be in another currency, the faults of an amount, `rate_unavailable` where positions cannot be
 * valued in a new base currency, and `fx_markup_count`.
 */
export function updateExchangeSettings(draft: Draft, command: UpdateExchangeSettings): Decision {
  const before = draft.fx;
  const { base = before.base, positionLimit: limitText, markups: given = {} } = command;
  if (base !== before.base && before.positionLimit !== null && limitText === undefined) {
    const message = `position_limit is in ${before.base}. Give it anew in ${base}, or remove it.`;
    return refusal('parameter_missing', message, { param: 'position_limit' });
  }
  const currency = currencyOf(base) as NonNullable<ReturnType<typeof currencyOf>>;
  const limit =
    limitText === undefined
      ? before.positionLimit
      : limitText === null
        ? null
        : parseAmount(limitText, currency, 'position_limit');
  if (limit !== null && typeof limit !== 'bigint')
    return { ...limit, details: { ...limit.details, param: 'position_limit' } };
  if (base !== before.base && !command.rates?.currencies.includes(base)) {
    const message = `There is no current rate of ${base}, so nothing could be valued in it.`;
    return refusal('rate_unavailable', message, { param: 'base_currency' });
  }
  const moved = base === before.base ? before : rebased(before, base, command.rates);
  if (typeof moved === 'string') {
    const message = `Open positions cannot be valued in ${base}: there is no current rate of ${moved}.`;
    return refusal('rate_unavailable', message);
  }
  const kept = Object.entries(given === null ? {} : { ...before.markups, ...given }).filter(([, bps]) => bps !== null);
  if (kept.length > MAX_FX_MARKUPS) {
    const message = `An environment has at most ${MAX_FX_MARKUPS} markups of its own. Remove one first.`;
    return refusal('fx_markup_count', message, { param: 'markups' });
  }
  const markups = Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1))) as Fx['markups'];
  const after: Fx = { ...moved, positionLimit: limit, markups };
  const [was, is] = [inAudit(before), inAudit(after)];
  const changed = Object.keys(is).filter((name) => was[name] !== is[name]);
  if (changed.length > 0) {
    draft.patch({ fx: after });
    draft.audit(
      'exchange_settings.updated',
      null,
      Object.fromEntries(changed.map((name) => [name, [was[name] ?? '', is[name] ?? '']])),
    );
  }
  return { object: 'exchange_settings', id: draft.state.environment.id, fx: after };
}

function inAudit({ base, positionLimit, markups }: Fx): Readonly<Record<string, string>> {
  return {
    base_currency: base,
    position_limit: positionLimit === null ? 'none' : formatMoney(positionLimit, base),
    markups: Object.entries(markups)
      .map(([pair, bps]) => `${pair} ${bps}`)
      .join(', '),
  };
}
