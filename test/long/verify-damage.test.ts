/**
 * Many kinds of damage, each in five places: each is found, and located by the object it was done to. Small:
 * `test/long/small/verify-damage.test.ts`.
 */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { assertFound, type Books, CASES, PLACES, startBooks } from '../support/model/damaged-books.ts';

let books: Books;
beforeAll(async () => {
  books = await startBooks();
});
afterAll(() => books?.end());

describe.each(Object.entries(CASES))('%s', (_, damage) => {
  test.each(Array.from({ length: PLACES }, (_, place) => place))('is found in place %i', (place) =>
    assertFound(books, damage, place),
  );
});
