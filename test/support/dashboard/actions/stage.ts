/** What the rows of the table of actions begin from: people of each role, and objects that are made by the API, each for one row alone. */
import type { Page } from 'playwright-core';
import type { Role } from '../../../../src/core/roles.ts';
import { idIn, must } from '../../harness/tenant-fixture.ts';
import { type Member, member } from '../people.ts';
import type { Scene } from '../scene.ts';
import type { World } from '../world.ts';

const ROLES: readonly Role[] = ['approver', 'operator', 'admin', 'developer', 'viewer', 'accountant'];

/** A role; `lead` holds several, for what needs two of them; `nobody` is a person of live alone, for what every role may. */
export type Who = Role | 'lead' | 'nobody';

export interface Stage {
  readonly world: World;
  readonly people: Readonly<Record<Who, Member>>;
  /** Of the key of the sandbox. */
  readonly client: Scene['application']['sandbox']['client'];
  /** The id of what the key makes. */
  make(path: string, body?: object): Promise<string>;
  /** Somebody else. */
  person(roles: readonly Role[]): Promise<Member>;
  /** An approver whom nobody has confirmed yet. */
  unconfirmed(): Promise<Member>;
}

export async function stageOf({ application, world, person }: Scene): Promise<Stage> {
  const { sandbox } = application;
  const made = await Promise.all(ROLES.map(async (role) => [role, await person([role])] as const));
  return {
    world,
    people: {
      ...(Object.fromEntries(made) as Record<Role, Member>),
      lead: await person(['operator', 'approver', 'admin']),
      nobody: await person(['viewer'], 'live'),
    },
    client: sandbox.client,
    make: async (path, body = {}) => idIn(await sandbox.client.post(path, body)),
    person,
    unconfirmed: () => member(application, [sandbox], ['approver']),
  };
}

/** A payout of the key, by which nothing is held but what goes beyond the limit in EUR. */
export const payout = ({ make, world }: Stage, of: 'EUR' | 'GBP' | 'USD', amount: string, reference: string) =>
  make('/v1/payouts', {
    amount,
    currency: of,
    account: world.accounts[of],
    recipient: world.recipients[{ EUR: 0, GBP: 8, USD: 9 }[of]],
    reference,
  });

/** The first object of a list. */
export async function firstOf({ client }: Stage, path: string): Promise<Readonly<Record<string, unknown>>> {
  const [first] = must(await client.get(path)).json['data'] as readonly Readonly<Record<string, unknown>>[];
  if (first === undefined) throw new Error(`${path} has nothing.`);
  return first;
}

/** Types into one field; into several by `typeAll`. */
export const type = (label: string, text: string) => (page: Page) => page.getByLabel(label, { exact: true }).fill(text);

export const typeAll = (fields: Readonly<Record<string, string>>) => async (page: Page) => {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
};

/** Chooses in a list that opens. */
export async function pick(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option }).first().click();
}
