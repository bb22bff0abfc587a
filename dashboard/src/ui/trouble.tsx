/** Why a write was refused, in the place where it was asked for. */
import { requestIdOf, sentenceOf, troubleOf } from '../api/errors.ts';

export function Trouble({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  const requestId = requestIdOf(error);
  return (
    <div className="trouble" role="alert">
      {troubleOf(error) === 'forbidden' ? 'Your role may not do that.' : sentenceOf(error)}
      {requestId !== '' && <div className="small mono">{requestId}</div>}
    </div>
  );
}
