/** What an error means for a page: which of its states it shows. */
import { BursarError, ConnectionError } from './client.ts';

export type Trouble = 'ended' | 'forbidden' | 'missing' | 'away' | 'refused';

/**
 * `ended`: the session is over. `forbidden`: the role may not. `missing`: no such object. `away`: no
 * answer, or one that another try may mend. `refused`: everything else.
 */
export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof BursarError)) return 'refused';
  // Cut off, or no answer of the service: whether a write happened nobody knows, whatever status stood above it.
  if (isSilence(error)) return 'away';
  if (error.status === 401) return 'ended';
  // Other refusals with 403 have a reason of their own, such as who asked for it.
  if (error.code === 'scope_missing') return 'forbidden';
  if (error.status === 404) return 'missing';
  if (error.status === 429 || error.status >= 500) return 'away';
  return 'refused';
}

const isSilence = (error: unknown): error is ConnectionError => error instanceof ConnectionError;

/**
 * Whether nobody knows if a write happened: silence, or a fault of the service. It is sent again as it was, with the same idempotency key, and
 * nothing else before. That there are no rates is an answer.
 */
export const isUnanswered = (error: unknown): boolean =>
  isSilence(error) || (error instanceof BursarError && error.status >= 500 && error.code !== 'rate_unavailable');

/** Whether it asks the person to show a factor once more. */
export const needsStepUp = (error: unknown): boolean =>
  error instanceof BursarError && (error.code as string) === 'step_up_required';

/** One sentence for a person. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof BursarError)) return error instanceof Error ? error.message : String(error);
  return isSilence(error) ? 'The service does not answer.' : error.message;
}

/** `''` where no answer names one. */
export const requestIdOf = (error: unknown): string => (error instanceof BursarError ? error.requestId : '');

/** The sentence for the field of a form that `param` names, if the error is about it. */
export const faultOf = (error: unknown, param: string): string | undefined =>
  error instanceof BursarError && error.param === param ? error.message : undefined;

/** Whether there is one, and it is about none of these parameters: a form says it below its fields. */
export const isAboutOthers = (error: unknown, params: readonly string[]): boolean =>
  error !== null && !params.some((param) => faultOf(error, param) !== undefined);
