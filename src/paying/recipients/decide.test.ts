import { NO_FX } from '../../core/fx.ts';
import { describe, expect, it } from 'vitest';
import { type Decided, decided, type Decision } from '../../core/decision.ts';
import { idSource } from '../../core/values/ids.ts';
import type { Event } from '../../core/objects.ts';
import type { Recipient } from './fields.ts';
import { Draft } from '../../core/draft.ts';
import { apply, State } from '../../core/state.ts';
import {
  archiveRecipient,
  type CreateRecipient,
  createRecipient,
  type UpdateRecipient,
  updateRecipient,
} from './decide.ts';

const AT = 1_732_184_000_000;
const IBAN = 'DE89370400440532013000';
const OTHER_IBAN = 'DE62370400440532013001';
const ORIGIN = { actor: 'worker' as const, requestId: null, idempotencyKey: null };

const ADA: CreateRecipient = {
  type: 'create_recipient',
  name: 'Ada Lovelace',
  recipientType: 'individual',
  currency: 'EUR',
  country: 'DE',
  email: 'ada@example.com',
  bankDetails: { iban: IBAN },
  metadata: { team: 'a' },
};

/** An environment, moved on one command a second. */
class Given {
  readonly state = new State({
    id: 'env_0',
    livemode: false,
    lastSequence: 0n,
    lastAtMs: AT,
    clockOffsetMs: 0,
    endpointsVersion: 0n,
    payoutRules: null,
    fees: [],
    payingBanks: [],
    fx: NO_FX,
  });
  private atMs = AT;

  when(decide: (draft: Draft) => Decision): { decision: Decided; events: readonly Event[] } {
    this.atMs += 1000;
    const draft = new Draft(this.state, { atMs: this.atMs, ids: idSource(this.atMs), actor: 'worker' });
    const decision = decided(draft, decide(draft));
    if (!decision.accepted) return { decision, events: [] };
    apply(this.state, decision.changes, ORIGIN);
    return { decision, events: decision.changes.flatMap((change) => (change.kind === 'event' ? [change.event] : [])) };
  }

  ada(changes: Partial<CreateRecipient> = {}): Recipient {
    const { decision } = this.when((draft) => createRecipient(draft, { ...ADA, ...changes }));
    if (!decision.accepted || decision.reply.object !== 'recipient') throw new Error('Ada was refused');
    return decision.reply;
  }

  update(recipient: string, changes: Partial<UpdateRecipient>) {
    const same = { name: undefined, email: undefined, bankDetails: undefined, metadata: undefined };
    const unchanged = { ...same, address: undefined, latinName: undefined };
    return this.when((draft) =>
      updateRecipient(draft, { type: 'update_recipient', recipient, ...unchanged, ...changes }),
    );
  }

  archive(recipient: string) {
    return this.when((draft) => archiveRecipient(draft, { type: 'archive_recipient', recipient }));
  }

  now(id: string): Recipient {
    return this.state.tables.recipient.get(id) as Recipient;
  }
}

const refusalOf = ({ decision }: { decision: Decided }) => (decision.accepted ? undefined : decision.refusal);
const codeOf = (outcome: { decision: Decided }) => refusalOf(outcome)?.code;

describe('create_recipient', () => {
  it('makes version 1 and one event', () => {
    const given = new Given();
    const ada = given.ada({ metadata: { team: 'a', empty: '' } });
    expect(ada).toMatchObject({ version: 1, status: 'active', bankDetails: { iban: IBAN }, metadata: { team: 'a' } });
    expect(ada.createdAt).toBe(AT + 1000);
    expect(given.state.events.map(({ event }) => [event.type, event.object, event.previous])).toEqual([
      ['recipient.created', ada, null],
    ]);
    expect(given.state.recipientVersions).toEqual([ada]);
  });
});

describe('update_recipient', () => {
  it('counts the version up for a new name and has the old one in the event', () => {
    const given = new Given();
    const ada = given.ada();
    const { events } = given.update(ada.id, { name: 'Ada King' });
    expect(given.now(ada.id)).toMatchObject({ name: 'Ada King', version: 2, bankDetails: { iban: IBAN } });
    expect(events.map((event) => [event.type, event.previous])).toEqual([['recipient.updated', { name: ada.name }]]);
    expect(given.state.recipientVersions).toMatchObject([
      { version: 1, versionedAt: AT + 1000 },
      { version: 2, versionedAt: AT + 2000, createdAt: AT + 1000 },
    ]);
  });

  it('normalises new bank details, replaces all of the old and masks them in the event', () => {
    const given = new Given();
    const ada = given.ada({ bankDetails: { iban: IBAN, bic: 'COBADEFF', bank_name: 'Old Bank' } });
    const { events } = given.update(ada.id, { bankDetails: { iban: 'de62 3704 0044 0532 0130 01' } });
    expect(given.now(ada.id)).toMatchObject({ version: 2 });
    expect(given.now(ada.id).bankDetails).toEqual({ iban: OTHER_IBAN });
    expect(events[0]?.previous).toEqual({
      bank_details: { iban: '******************3000', bic: 'COBADEFF', bank_name: 'Old Bank' },
    });
  });

  it('keeps the version for e-mail and metadata, which no payout sees', () => {
    const given = new Given();
    const ada = given.ada();
    const { events } = given.update(ada.id, { email: null, metadata: { team: '', floor: '2' } });
    expect(given.now(ada.id)).toMatchObject({ version: 1, email: null, metadata: { floor: '2' } });
    expect(events[0]?.previous).toEqual({ email: 'ada@example.com', metadata: { team: 'a', floor: null } });
    expect(given.state.recipientVersions).toHaveLength(1);
  });

  it('does nothing and says nothing where nothing differs, whatever the order of the details', () => {
    const given = new Given();
    const us = { account_number: '000123456789', routing_number: '110000000', account_type: 'checking' };
    const bankDetails = Object.fromEntries(Object.entries(us).toReversed());
    const ada = given.ada({ country: 'US', currency: 'USD', bankDetails });
    const same = { name: ada.name, email: ada.email, metadata: { team: 'a' } };
    const { account_type: _, ...sent } = us;
    const { decision, events } = given.update(ada.id, { ...same, bankDetails: sent });
    expect(decision).toMatchObject({ accepted: true, changes: [], reply: ada });
    expect(events).toEqual([]);
  });

  it('checks new details by the stored country and currency', () => {
    const given = new Given();
    const ada = given.ada();
    const wrong = refusalOf(given.update(ada.id, { name: 'X', bankDetails: { iban: 'DE89370400440532013001' } }));
    expect(wrong).toMatchObject({ code: 'iban_invalid', details: { param: 'iban' } });
    expect(wrong?.message).not.toContain('0532013001');
    expect(codeOf(given.update(ada.id, { bankDetails: { bic: 'COBADEFF' } }))).toBe('parameter_missing');
    expect(codeOf(given.update(ada.id, { bankDetails: { iban: IBAN, sort_code: '108800' } }))).toBe(
      'parameter_unknown',
    );
    expect(codeOf(given.update(ada.id, { bankDetails: { iban: 'GB29NWBK60161331926819' } }))).toBe('iban_invalid');
    expect(given.now(ada.id)).toEqual(ada);
  });

  it('refuses more metadata than an object may hold', () => {
    const given = new Given();
    const ada = given.ada();
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v']));
    expect(codeOf(given.update(ada.id, { metadata }))).toBe('metadata_invalid');
    expect(codeOf(given.update(ada.id, { metadata: { ...metadata, team: '' } }))).toBeUndefined();
  });

  it('refuses the unknown and the archived, in this order before anything else', () => {
    const given = new Given();
    const ada = given.ada();
    given.archive(ada.id);
    expect(codeOf(given.update('rcp_unknown', { bankDetails: {} }))).toBe('resource_missing');
    expect(codeOf(given.update(ada.id, { bankDetails: {} }))).toBe('recipient_archived');
  });
});

describe('archive_recipient', () => {
  it('archives once, answers twice', () => {
    const given = new Given();
    const ada = given.ada();
    const first = given.archive(ada.id);
    const again = given.archive(ada.id);
    const reply = { object: 'deleted', kind: 'recipient', id: ada.id };
    expect(first.decision).toMatchObject({ accepted: true, reply });
    expect(again.decision).toMatchObject({ accepted: true, reply, changes: [] });
    expect(first.events.map((event) => [event.type, event.previous])).toEqual([
      ['recipient.archived', { status: 'active' }],
    ]);
    expect(given.now(ada.id)).toMatchObject({ ...ada, status: 'archived' });
    expect(given.state.recipientVersions).toHaveLength(1);
  });

  it('refuses an unknown recipient', () => {
    expect(codeOf(new Given().archive('rcp_unknown'))).toBe('resource_missing');
  });
});
