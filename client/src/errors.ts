/** What a request can end with instead of an answer. Codes and their meaning: docs/errors.md. */
import type { ErrorCode, ErrorDetail } from './generated/types.ts';

/** Codes of the client: no answer came, or it was cut off; something came that is no answer of Bursar, such as the page of a proxy. */
export type ConnectionCode = 'connection_failed' | 'answer_unreadable';
type AnyCode = ErrorCode | ConnectionCode;

/** What is known beside the error itself. */
export interface ErrorContext {
  readonly headers?: Headers | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly cause?: unknown;
}

/** A request failed. Decide by `code`: `if (BursarError.is(error, 'balance_insufficient')) …`. Without an answer it is a `ConnectionError`. */
export class BursarError<Code extends AnyCode = AnyCode> extends Error {
  override readonly name: 'BursarError' | 'ConnectionError' = 'BursarError';
  /** HTTP; 0 where nothing came. */
  readonly status: number;
  readonly code: Code;
  readonly type: ErrorDetail['type'];
  /** The parameter that is wrong. */
  readonly param: string | undefined;
  /** All faults, where there are several; of a batch each with the `index` of its item. */
  readonly errors: NonNullable<ErrorDetail['errors']>;
  /** Quote it when you report a problem. Empty where no answer names it. */
  readonly requestId: string;
  /** The key of the write that failed; `undefined` for reads. */
  readonly idempotencyKey: string | undefined;
  /** How long the server asks to wait; 0 where it does not. */
  readonly retryAfterSeconds: number;
  /** Of the answer; none where nothing came. */
  readonly headers: Headers;
  /** Everything the answer says: `available_minor`, `allowed`, `resource_id`, … */
  readonly detail: ErrorDetail;

  constructor(status: number, detail: ErrorDetail, { headers = new Headers(), idempotencyKey, cause }: ErrorContext) {
    super(detail.message, { cause });
    this.status = status;
    this.code = detail.code as Code;
    this.type = detail.type;
    this.param = detail.param;
    this.errors = detail.errors ?? [];
    this.requestId = detail.request_id;
    this.idempotencyKey = idempotencyKey;
    this.retryAfterSeconds = Number(headers.get('Retry-After')) || 0;
    this.headers = headers;
    this.detail = detail;
  }

  /** Whether it is an error of this client, with one of the codes where some are named. */
  static is<C extends AnyCode>(error: unknown, ...codes: readonly C[]): error is BursarError<C> {
    return error instanceof BursarError && (codes.length === 0 || codes.includes(error.code as C));
  }
}

/** No answer of Bursar came, however often it was tried. Whether a write happened is open: repeat it with `idempotencyKey`. */
export class ConnectionError extends BursarError<ConnectionCode> {
  override readonly name = 'ConnectionError';

  constructor(code: ConnectionCode, status: number, message: string, context: ErrorContext) {
    const request_id = context.headers?.get('Request-Id') ?? '';
    const detail = { type: 'api_error', code, message, doc_url: '', request_id };
    super(status, detail as unknown as ErrorDetail, context); // the document knows nothing of these codes
  }
}
