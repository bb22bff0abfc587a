/** What a request can end with instead of an answer. Codes and their meaning: docs/errors.md. */
import type { ErrorCode, ErrorDetail } from './generated/types.ts';

/** The API answered, and refused. Decide by `code`: `if (BursarError.is(error, 'balance_insufficient')) …`. */
export class BursarError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'BursarError';
  /** HTTP. */
  readonly status: number;
  readonly code: Code;
  readonly type: ErrorDetail['type'];
  /** The parameter that is wrong. */
  readonly param: string | undefined;
  /** All faults, where there are several; of a batch each with the `index` of its item. */
  readonly errors: NonNullable<ErrorDetail['errors']>;
  /** Quote it when you report a problem. */
  readonly requestId: string;
  /** How long the server asks to wait; 0 where it does not. */
  readonly retryAfterSeconds: number;
  /** Everything the answer says: `available_minor`, `allowed`, `resource_id`, … */
  readonly detail: ErrorDetail;

  constructor(status: number, detail: ErrorDetail, retryAfterSeconds = 0) {
    super(detail.message);
    this.status = status;
    this.code = detail.code as Code;
    this.type = detail.type;
    this.param = detail.param;
    this.errors = detail.errors ?? [];
    this.requestId = detail.request_id;
    this.retryAfterSeconds = retryAfterSeconds;
    this.detail = detail;
  }

  /** Whether it is a refusal, with one of the codes where some are named. */
  static is<C extends ErrorCode>(error: unknown, ...codes: readonly C[]): error is BursarError<C> {
    return error instanceof BursarError && (codes.length === 0 || codes.includes(error.code as C));
  }
}

/** No answer of Bursar came, however often it was tried. Whether a write happened is open: repeat it with `idempotencyKey`. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Of an answer that came from somebody else, a proxy; 0 where none came. */
  readonly status: number;
  readonly idempotencyKey: string | undefined;

  constructor(message: string, status: number, idempotencyKey: string | undefined, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.idempotencyKey = idempotencyKey;
  }
}
