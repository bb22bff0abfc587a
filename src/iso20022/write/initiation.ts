/** The input of the writer of payment files. Amounts are minor units; days ISO dates; bank details canonical, as recipients have them. */
import type { ReferenceType } from '../../core/rails/structured-references.ts';
import type { Profile } from './profiles.ts';
import type { Details, Route } from './routes.ts';

export interface Address {
  readonly line1: string | null;
  readonly line2: string | null;
  readonly postal_code: string | null;
  readonly city: string;
  readonly state: string | null;
  readonly country: string;
}

export interface Debtor {
  readonly name: string;
  readonly address: Address | null;
  /** Of the account. */
  readonly country: string;
  readonly details: Details;
}

export interface Creditor extends Debtor {
  /** The name in Latin letters, where `name` is not. */
  readonly latinName: string | null;
}

export interface Payment {
  /** As it goes out (`outgoingId`). */
  readonly endToEndId: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly creditor: Creditor;
  /** `ExternalPurpose1Code`. */
  readonly purpose: string | null;
  /** Text for the creditor, or a reference of his. */
  readonly reference: string | null;
  /** `null`: what the reference shows by itself. */
  readonly referenceType: ReferenceType | null;
}

/** Payments from one account, by one route, on one day, of one category, booked in one way. */
export interface Initiation {
  readonly profile: Profile;
  readonly messageId: string;
  readonly paymentInformationId: string;
  readonly createdAtMs: number;
  readonly debtor: Debtor;
  readonly executionOn: string;
  readonly route: Route;
  /** `ExternalCategoryPurpose1Code`, of all payments. */
  readonly categoryPurpose: string | null;
  /** Asks the bank for one entry in the statement. */
  readonly batchBooking: boolean;
  readonly currency: string;
  /** Of `payments`. They stand in the head, before the first payment. */
  readonly count: number;
  readonly sum: bigint;
  readonly payments: Iterable<Payment>;
}
