/** Counts what this thread does with texts: calls of a method of texts, which is work that no clock has to measure. */

type Method = 'charCodeAt' | 'normalize';

/** Calls on texts that are meant, until it is stopped. Other threads have methods of their own. */
export function countCalls(method: Method, isMeant: (text: string) => boolean = () => true) {
  const original = Reflect.get(String.prototype, method) as (this: string, ...args: unknown[]) => unknown;
  let count = 0;
  const counting = function (this: string, ...args: unknown[]): unknown {
    if (isMeant(this)) count += 1;
    return original.apply(this, args);
  };
  Reflect.set(String.prototype, method, counting);
  return {
    count: () => count,
    stop: () => void Reflect.set(String.prototype, method, original),
  };
}
